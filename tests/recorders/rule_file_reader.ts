// Reads rule files with the reference agent's own reader: `bun rule_file_reader.ts PACKAGE_FOLDER`.
//
// Takes on stdin a JSON list of paths, one rule file each, and of YAML texts; gives their answers on stdout. Called by
// record_rule_files.py and record_yaml.py.
import { basename, join, resolve } from "node:path";

const folder = resolve(process.argv[2]);
const { discoverRuleFromMarkdown, createSourceMeta } = await import(join(folder, "src/discovery/helpers.ts"));
const { version } = await Bun.file(join(folder, "package.json")).json();

/** JSON has no infinities, and no order of keys; maps become lists of pairs, repetitions of an object are written out. */
function plain(value: unknown, open: unknown[] = []): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : { number: String(value) };
  if (value === null || typeof value !== "object") return value;
  if (open.includes(value)) throw new Error("cyclic");
  const inner = [...open, value];
  if (Array.isArray(value)) return value.map((item) => plain(item, inner));
  return { map: Object.entries(value).map(([key, item]) => [key, plain(item, inner)]) };
}

async function ruleOf(path: string) {
  const content = await Bun.file(path).text();
  const rule = discoverRuleFromMarkdown(basename(path), content, path, createSourceMeta("native", path, "project"));
  if (rule === null) return { text: content, disabled: true };
  const { name, path: _path, _source, ...fields } = rule;
  return { text: content, ...fields };
}

function yamlOf(text: string) {
  try {
    return { value: plain(Bun.YAML.parse(text)) };
  } catch {
    return { invalid: true };
  }
}

const asked = await Bun.stdin.json();
const rules = [];
for (const path of asked.paths) rules.push(await ruleOf(path));
console.log(JSON.stringify({ agent: version, bun: Bun.version, rules, yaml: asked.yaml.map(yamlOf) }));
