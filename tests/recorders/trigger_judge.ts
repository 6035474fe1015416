// Says on which texts rule files fire in the reference agent: `bun trigger_judge.ts PACKAGE_FOLDER`, where
// PACKAGE_FOLDER is an installed `@oh-my-pi/pi-coding-agent`. Called by record_fixes.py.
//
// Takes on stdin a JSON list of cases, each with the `files` (base64) to compare and the `witnesses` to try them on.
// Gives for each file one string: for each witness `1` where the rule fires and `0` where it does not. Drives the
// package's own reader, buckets and `TtsrManager`; each file is a session of its own.
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";

interface Witness {
  source: "text" | "thinking" | "tool";
  tool?: string;
  paths?: string[];
  agent: string;
  text: string;
}

const folder = resolve(process.argv[2]);
const { discoverRuleFromMarkdown, createSourceMeta } = await import(join(folder, "src/discovery/helpers.ts"));
const { bucketRules } = await import(join(folder, "src/capability/rule-buckets.ts"));
const { TtsrManager } = await import(join(folder, "src/export/ttsr.ts"));
const { version } = await Bun.file(join(folder, "package.json")).json();

const scratch = mkdtempSync(join(tmpdir(), "trigger-judge-"));
const file = join(scratch, "rule.md");

async function ruleIn(data: string): Promise<any> {
  await Bun.write(file, Buffer.from(data, "base64"));
  const text = await Bun.file(file).text();
  const path = "/project/.omp/rules/rule.md";
  const rule = discoverRuleFromMarkdown("rule.md", text, path, createSourceMeta("native", path, "project"));
  return rule === null || !rule.content.trim() ? null : rule;
}

async function answers(data: string, witnesses: Witness[]): Promise<string> {
  const rule = await ruleIn(data);
  const managers = new Map<string, any>();
  let row = "";
  for (const { source, tool, paths, agent, text } of witnesses) {
    if (rule !== null && !managers.has(agent)) {
      const made = new TtsrManager({});
      bucketRules([rule], made, { agentName: agent });
      managers.set(agent, made);
    }
    const manager = managers.get(agent);
    const context = { source, toolName: tool, filePaths: paths, streamKey: source === "tool" ? "toolcall:1" : undefined };
    manager?.resetBuffer();
    const fires =
      manager !== undefined &&
      (manager.checkDelta(text, context).length > 0 || (await manager.checkAstSnapshot(text, context)).length > 0);
    row += fires ? "1" : "0";
  }
  return row;
}

const rows: string[][] = [];
for (const { files, witnesses } of await Bun.stdin.json()) {
  const fired: string[] = [];
  for (const data of files) fired.push(await answers(data, witnesses));
  rows.push(fired);
}
rmSync(scratch, { recursive: true });
console.log(JSON.stringify({ agent: version, bun: Bun.version, rows }));
