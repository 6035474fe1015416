// Records whether the AST conditions of the catalogue's examples fire in the reference agent:
// `bun record_ast_claims.ts PACKAGE_FOLDER CASES.json OUTPUT.json`, where PACKAGE_FOLDER is an installed
// `@oh-my-pi/pi-coding-agent` and the cases are printed by `python tests/lint/ast_claims.py`.
//
// Each rule is asked about a finished call of `edit` that writes a text to a path: its regular expressions, and then its
// patterns, as the agent does at the end of a call. Nothing of the package is kept but its answers.
import { join, resolve } from "node:path";

interface Case {
  about: string;
  rule: string;
  path: string;
  text: string;
}

const folder = resolve(process.argv[2]);
const { buildRuleFromMarkdown, createSourceMeta } = await import(join(folder, "src/discovery/helpers.ts"));
const { TtsrManager } = await import(join(folder, "src/export/ttsr.ts"));
const { version } = await Bun.file(join(folder, "package.json")).json();

async function fires(each: Case): Promise<boolean> {
  const manager = new TtsrManager({});
  const source = createSourceMeta("native", "/r.md", "project");
  if (!manager.addRule(buildRuleFromMarkdown("r.md", each.rule, "/r.md", source, { ruleName: "r" }))) {
    return false;
  }
  const context = { source: "tool", toolName: "edit", filePaths: [each.path], streamKey: "toolcall:1" };
  const streamed = manager.checkSnapshot(each.text, context);
  return streamed.length > 0 || (await manager.checkAstSnapshot(each.text, context)).length > 0;
}

const cases = (await Bun.file(process.argv[3]).json()) as Case[];
const answers: unknown[] = [];
for (const each of cases) {
  answers.push({ ...each, fires: await fires(each) });
}
const provenance = { recorder: "tests/recorders/record_ast_claims.ts", reference: version, bun: Bun.version };
await Bun.write(process.argv[4], JSON.stringify({ provenance, cases: answers }, null, 1) + "\n");
