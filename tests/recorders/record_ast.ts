// Records what the reference agent's AST conditions match:
// `bun record_ast.ts PACKAGE_FOLDER OUTPUT.json.gz`, where PACKAGE_FOLDER is an installed
// `@oh-my-pi/pi-coding-agent` (format: tests/vectors/README.md).
//
// Each pattern of a language in `ast_cases.json` is tried on each of its sources, as written to its first path, and a
// few of them to its other paths. Asks the package's `TtsrManager`; nothing of it is kept but its answers.
import { gzipSync } from "bun";
import { join, resolve } from "node:path";

interface Language {
  paths: string[];
  patterns: string[];
  sources: string[];
}

const folder = resolve(process.argv[2]);
const { buildRuleFromMarkdown, createSourceMeta } = await import(join(folder, "src/discovery/helpers.ts"));
const { TtsrManager } = await import(join(folder, "src/export/ttsr.ts"));
const { version } = await Bun.file(join(folder, "package.json")).json();

async function matches(pattern: string, source: string, path: string): Promise<boolean> {
  const manager = new TtsrManager({});
  const text = `---\nastCondition: ${JSON.stringify([pattern])}\n---\nDo not.\n`;
  const rule = buildRuleFromMarkdown("r.md", text, "/r.md", createSourceMeta("native", "/r.md", "project"), { ruleName: "r" });
  if (!manager.addRule(rule)) {
    return false;
  }
  const context = { source: "tool", toolName: "edit", filePaths: [path], streamKey: "toolcall:1" };
  return (await manager.checkAstSnapshot(source, context)).length > 0;
}

async function answers(language: Language, path: string, every: number): Promise<string[]> {
  const rows: string[] = [];
  for (const [row, pattern] of language.patterns.entries()) {
    let answered = "";
    for (const [column, source] of language.sources.entries()) {
      const asked = (row + column) % every === 0;
      answered += !asked ? "-" : (await matches(pattern, source, path)) ? "1" : "0";
    }
    rows.push(answered);
  }
  return rows;
}

const cases = (await Bun.file(join(import.meta.dir, "ast_cases.json")).json()) as Record<string, Language>;
const languages: Record<string, unknown> = {};
for (const [name, language] of Object.entries(cases)) {
  const all = name === "none" || name === "missing";
  const recorded: Record<string, string[]> = {};
  for (const [index, path] of language.paths.entries()) {
    recorded[path] = await answers(language, path, index === 0 || all ? 1 : 7);
  }
  languages[name] = { patterns: language.patterns, sources: language.sources, paths: recorded };
}
const provenance = { recorder: "tests/recorders/record_ast.ts", reference: version, bun: Bun.version };
await Bun.write(process.argv[3], gzipSync(Buffer.from(JSON.stringify({ provenance, languages }))));
