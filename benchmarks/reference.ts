// What a delta costs in the reference agent's own manager: `bun reference.ts PACKAGE_FOLDER < ASKED`, where ASKED is
// {"conditions": [...], "text": "...", "delta": 16, "at": [lengths]}. Prints the milliseconds of one delta at each length.
import { join, resolve } from "node:path";

const WARM = 3;
const SAMPLES = 7;

const folder = resolve(process.argv[2]);
const { buildRuleFromMarkdown, createSourceMeta } = await import(join(folder, "src/discovery/helpers.ts"));
const { TtsrManager } = await import(join(folder, "src/export/ttsr.ts"));
const { conditions, text, delta, at } = JSON.parse(await Bun.stdin.text());

const manager = new TtsrManager({ enabled: true, interruptMode: "always", repeatMode: "once", repeatGap: 10, contextMode: "discard" });
let registered = 0;
conditions.forEach((condition: string, number: number) => {
  const markdown = `---\ncondition: ${JSON.stringify(condition)}\nscope: text\n---\nSay it otherwise.\n`;
  const name = `rule-${number}`;
  const path = `/rules/${name}.md`;
  const source = createSourceMeta("native", path, "project");
  if (manager.addRule(buildRuleFromMarkdown(`${name}.md`, markdown, path, source, { ruleName: name }))) registered += 1;
});

const context = { source: "text" };
const costs = at.map((length: number) => {
  manager.resetBuffer();
  // What matched is taken as injected, so that it is not searched for again.
  manager.markInjected(manager.checkDelta(text.slice(0, length), context));
  const times: number[] = [];
  let matched = 0;
  for (let sample = 0; sample < WARM + SAMPLES; sample += 1) {
    const piece = text.slice(length + sample * delta, length + (sample + 1) * delta);
    const start = Bun.nanoseconds();
    matched += manager.checkDelta(piece, context).length;
    times.push((Bun.nanoseconds() - start) / 1e6);
  }
  const measured = times.slice(WARM).sort((a, b) => a - b);
  return { length, median: measured[SAMPLES >> 1], matched };
});
console.log(JSON.stringify({ registered, costs }));
