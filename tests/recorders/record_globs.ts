// Records what `Bun.Glob` matches: `bun record_globs.ts OUTPUT.json.gz` (format: tests/vectors/README.md).
//
// The pairs are those of `globs.jsonl`, each line a glob and its paths, and generated ones from a fixed seed.
import { gzipSync } from "bun";
import { join } from "node:path";

const SEED = 20251121;
const GENERATED = 3000;
const PATHS_EACH = 4;
const GLOB_PIECES = [
  ..."ab/*?{},()|[]!^-\\.".split(""), "**", "@(", "!(", "+(", "*(", "?(", "**/", "/**", "**/", "/**",
  "{a,b}", "{a,", "[a-b]", "[!a]", "{1..2}", "a/", "/b", "*.ts", "{,a}", "@(a|b)", "*", "*",
];
const PATH_PIECES = [..."ab/ab/ab/1.".split(""), "a/", "/b", ".ts", "{", "}", "(", "[", "!", ",", "|", "-", "\\"];

let state = SEED;
function random(below: number): number {
  // mulberry32
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
}

function text(pieces: string[], shortest: number, longest: number): string {
  const length = shortest + random(longest - shortest + 1);
  return Array.from({ length }, () => pieces[random(pieces.length)]).join("");
}

function answer(glob: string, paths: string[]) {
  const compiled = new Bun.Glob(glob);
  return [glob, paths.map((path) => [path, compiled.match(path)])];
}

const written = (await Bun.file(join(import.meta.dir, "globs.jsonl")).text()).trim().split("\n");
const handwritten = written.map((line) => {
  const [glob, ...paths] = JSON.parse(line) as string[];
  return answer(glob, paths);
});
const generated = Array.from({ length: GENERATED }, () =>
  answer(text(GLOB_PIECES, 1, 8), Array.from({ length: PATHS_EACH }, () => text(PATH_PIECES, 0, 6))),
);

const provenance = { recorder: "record_globs.ts", bun: Bun.version, seed: SEED };
await Bun.write(process.argv[2], gzipSync(Buffer.from(JSON.stringify({ provenance, handwritten, generated }))));
