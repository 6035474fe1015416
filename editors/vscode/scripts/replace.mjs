// Renames a file into the place of another, so that whoever reads that one meanwhile has all of it.

import { renameSync } from 'node:fs';

renameSync(process.argv[2], process.argv[3]);
