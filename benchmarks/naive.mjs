// What a delta costs when each condition that has not matched yet is searched for in the whole text: `node naive.mjs < ASKED`,
// where ASKED is {"conditions": [...], "text": "...", "delta": 16, "at": [lengths]}. Prints the milliseconds of one delta at each length.
import { readFileSync } from "node:fs";

const SAMPLES = 7;
const { conditions, text, delta, at } = JSON.parse(readFileSync(0, "utf8"));

const expressions = [];
for (const condition of conditions) {
  const [group, flags] = /^\(\?([ims]+)\)/.exec(condition) ?? ["", ""];
  try {
    expressions.push(new RegExp(condition.slice(group.length), [...new Set(flags)].join("")));
  } catch {
    // An older Node refuses what newer ones know: `(?i:…)` and two groups of one name.
  }
}

const costs = at.map(length => {
  const open = expressions.filter(expression => !expression.test(text.slice(0, length)));
  const times = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const start = process.hrtime.bigint();
    const buffer = text.slice(0, length + sample * delta);
    for (const expression of open) expression.test(buffer);
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return { length, median: times.sort((a, b) => a - b)[SAMPLES >> 1], matched: expressions.length - open.length };
});
console.log(JSON.stringify({ registered: expressions.length, costs }));
