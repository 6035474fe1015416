// Answers, in the engine that runs it, what a pattern matches. One JSON request a line on stdin,
// {source, flags, subjects}; one JSON answer a line on stdout: null where `new RegExp` throws, else for each subject
// null, [index, end] of the first match, or "?" where the engine could not tell.
import { createInterface } from "node:readline";

function answer({ source, flags, subjects }) {
  let pattern;
  try {
    pattern = new RegExp(source, flags);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return subjects.map((subject) => {
    let match;
    try {
      match = pattern.exec(subject);
    } catch {
      return "?"; // V8 refuses some patterns only when they are used, because they are too large for it.
    }
    return match === null ? null : [match.index, match.index + match[0].length];
  });
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n");
}
