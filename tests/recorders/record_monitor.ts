// Records what the reference agent makes of rule files and streams:
// `bun record_monitor.ts PACKAGE_FOLDER OUTPUT.json.gz [CASES.json]`, where PACKAGE_FOLDER is an installed
// `@oh-my-pi/pi-coding-agent` (format: tests/vectors/README.md). Without CASES.json, the handwritten cases beside this
// file and generated ones.
//
// Drives the package's own reader, buckets and `TtsrManager`; nothing of it is kept but its answers.
import { gzipSync } from "bun";
import { join, resolve } from "node:path";
import { type Case, type Context, Generator } from "./monitor_cases";

const SEED = 20251121;
const GENERATED = 600;

const folder = resolve(process.argv[2]);
const { buildRuleFromMarkdown, createSourceMeta } = await import(join(folder, "src/discovery/helpers.ts"));
const { bucketRules } = await import(join(folder, "src/capability/rule-buckets.ts"));
const { TtsrManager } = await import(join(folder, "src/export/ttsr.ts"));
const { version } = await Bun.file(join(folder, "package.json")).json();

function streamContext({ source, tool, paths, key }: Context) {
  return { source, toolName: tool, filePaths: paths, streamKey: key };
}

function buckets({ rules, settings, agent }: Case, manager: any): string[] {
  const built = rules.map(({ name, provider, text }) => {
    const path = `/rules/${name}.md`;
    return buildRuleFromMarkdown(`${name}.md`, text, path, createSourceMeta(provider, path, "project"), { ruleName: name });
  });
  const { disabledRules, builtinRules } = settings;
  const split = bucketRules(built, manager, { disabledRules, builtinRules, agentName: agent });
  const names = (list: { name: string }[]) => new Set(list.map((rule) => rule.name));
  const [ttsr, always, rulebook] = [manager.getRules(), split.alwaysApplyRules, split.rulebookRules].map(names);
  return rules.map(({ name }) =>
    ttsr.has(name) ? "ttsr" : always.has(name) ? "always" : rulebook.has(name) ? "rulebook" : "dropped",
  );
}

function answer(asked: Case) {
  const manager = new TtsrManager(asked.settings);
  const sorted = buckets(asked, manager);
  const matches = asked.events.map((event) => {
    switch (event.op) {
      case "delta":
        return manager.checkDelta(event.text, streamContext(event.context)).map((rule: any) => rule.name);
      case "snapshot":
        return manager.checkSnapshot(event.text, streamContext(event.context)).map((rule: any) => rule.name);
      case "mark":
        return manager.markInjectedByNames(event.names), null;
      case "restore":
        return manager.restoreInjected(event.names), null;
      case "reset":
        return manager.resetBuffer(), null;
      case "turn":
        return manager.incrementMessageCount(), null;
    }
  });
  return { ...asked, buckets: sorted, matches };
}

async function monitorCases(): Promise<Case[]> {
  const handwritten = (await Bun.file(join(import.meta.dir, "monitor_cases.json")).json()) as Case[];
  const generator = new Generator(SEED);
  return [...handwritten, ...Array.from({ length: GENERATED }, (_, number) => generator.case(number))];
}

const asked = process.argv[4] ? ((await Bun.file(process.argv[4]).json()) as Case[]) : await monitorCases();
const provenance = { recorder: "record_monitor.ts", reference: `oh-my-pi ${version}`, bun: Bun.version, seed: SEED };
const cases = asked.map(answer);
await Bun.write(process.argv[3], gzipSync(Buffer.from(JSON.stringify({ provenance, cases }))));
