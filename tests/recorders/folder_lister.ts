// Lists folders as the reference agent does when it looks for rules: `bun folder_lister.ts PACKAGE_FOLDER`.
//
// Takes on stdin a JSON list of `{folder, pattern, recursive}`, gives the paths found in each on stdout. Called by
// record_listings.py; PACKAGE_FOLDER is the agent's installed package `@oh-my-pi/pi-natives`.
import { join, resolve } from "node:path";

const { glob, FileType } = await import(join(resolve(process.argv[2]), "native/index.js"));
const listed = [];
for (const { folder, pattern, recursive } of await Bun.stdin.json()) {
  const found = await glob({ pattern, path: folder, gitignore: true, hidden: false, fileType: FileType.File, recursive });
  listed.push(found.matches.map((match: { path: string }) => match.path));
}
console.log(JSON.stringify(listed));
