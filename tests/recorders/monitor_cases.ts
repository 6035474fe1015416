// The cases of `record_monitor.ts`: rule files and what happens on the streams, drawn from pools by a seeded generator.
// The handwritten ones are in `monitor_cases.json`.

export interface Context {
  source: "text" | "thinking" | "tool";
  tool?: string;
  paths?: string[];
  key?: string;
}
export type Event =
  | { op: "delta" | "snapshot"; context: Context; text: string }
  | { op: "mark" | "restore"; names: string[] }
  | { op: "reset" | "turn" };
export interface Case {
  about: string;
  settings: Record<string, unknown>;
  agent: string;
  rules: { name: string; provider: string; text: string }[];
  events: Event[];
}

const CONDITIONS = [
  "any", "\\bany\\b", "any\\b", "\\Bthing", "unwrap(?!_or)", "\\.unwrap\\(\\)(?!;)", "done$", "(?m)done$", "^foo",
  "(?m)^foo", "(?i)todo", "(?s)foo.bar", "foo.bar", "(?ims)^X.y$", "foo(?![\\s\\S]*bar)", "(?<!as )any", "(?<=as )any",
  "(?=[\\s\\S]*foo)(?=[\\s\\S]*bar)", "(?=[\\s\\S]*?foo)", ".*", "a|", "^$", "$", "(", "[", "(?x)a", "(?P<n>a)", "a++",
  "(?i", "\\", "\\ud83d$", "\\ud83d\\ude00", "^.$", "(a)\\1", "(?<n>o)\\k<n>", "[^\\n]{6,}", "\\s+$", "x{2,}?y", "\\u{61}",
  "\\p{L}", "[[:alpha:]]", "(?i:FOO)bar", "foo(?-i:B)", "(?ii)foo", "(?im)^TODO", "*.ts", "src/**", "https?://x", "a/b",
  "console\\.log\\(", "[\\s\\S]*foo[\\s\\S]*", "\\n\\n", "é", "(?i)É", "\\w+\\s\\w+$", "😀",
];
const SCOPES = [
  "text", "thinking", "tool", "toolcall", "text, thinking", "tool:edit", "tool:edit(*.ts)", "edit(src/*.ts), text",
  "tool(*.md)", "prose", "*", "tool:", "tool:edit()", "tool: edit", "TEXT", "Tool:Edit(*.ts)", "tool:edit(*.TS)",
  "[text, thinking]", "text;thinking", "tool:edit( )", "tool:edit({*.ts,*.md})", "tool:bash, thinking", "toolcall(*.ts)",
  "tool:write(src/**), tool:edit(src/**)", "write", "tool:mcp__x_y", "'text', \"tool\"",
];
const GLOBS = ["*.ts", "src/**", "!src/a.ts", "{src,lib}/**", "", " ", "**/*.md", "a.ts", "*.ts,*.md"];
const PIECES = [
  "any", "thing", " ", "as ", "\n", "TODO", "todo", "console.log(", ".unwrap()", "_or", ";", "done", "foo", "bar", "FOO",
  "x", "y", "xx", "\ud83d", "\ude00", "😀", "é", "É", "aa", "oo", "", "src/a.ts", "\\", "\"", "\r\n", "\u2028", "unwrap", "X\nY",
];
const TOOLS = ["edit", "write", "bash", "Edit", "mcp__x_y", "toolcall", undefined];
const PATHS = [
  undefined, [], ["src/a.ts"], ["/p/src/a.ts", "src/a.ts"], ["a.md"], ["src\\a.ts"], ["./src/a.ts", "src/a.ts"],
  ["lib/x/b.ts"], [""], ["a.ts"],
];
const KEYS = [undefined, "toolcall:1", "toolcall:2", "toolcall:1#src/a.ts", " ", "", "text"];

export class Generator {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  // mulberry32
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  #one<T>(pool: readonly T[]): T {
    return pool[this.#below(pool.length)];
  }

  #some<T>(pool: readonly T[], most: number): T[] {
    return Array.from({ length: 1 + this.#below(most) }, () => this.#one(pool));
  }

  #rule(number: number) {
    const lines = [`condition: ${JSON.stringify(this.#some(CONDITIONS, 3))}`];
    if (this.#below(3) > 0) lines.push(`scope: ${JSON.stringify(this.#below(4) ? this.#one(SCOPES) : this.#some(SCOPES, 2))}`);
    if (this.#below(5) === 0) lines.push(`globs: ${JSON.stringify(this.#below(2) ? this.#one(GLOBS) : this.#some(GLOBS, 2))}`);
    if (this.#below(6) === 0) lines.push("astCondition: console.log($A)");
    if (this.#below(6) === 0) lines.push("alwaysApply: true");
    if (this.#below(5) === 0) lines.push("description: d");
    if (this.#below(8) === 0) lines.push(`agents: ${this.#one(["main", "sub", "!main", "ma*", "explore, main", "{main,x}"])}`);
    const provider = this.#below(6) === 0 ? "builtin-defaults" : "native";
    return { name: `r${number}`, provider, text: `---\n${lines.join("\n")}\n---\nBody` };
  }

  #context(): Context {
    const source = this.#one(["text", "text", "thinking", "tool", "tool"] as const);
    const key = this.#one(KEYS);
    if (source !== "tool") return this.#below(6) ? { source } : { source, key };
    return { source, tool: this.#one(TOOLS), paths: this.#one(PATHS), key };
  }

  #event(contexts: Context[], names: string[]): Event {
    const kind = this.#below(24);
    if (kind === 0) return { op: "reset" };
    if (kind === 1) return { op: "turn" };
    if (kind === 2) return { op: "mark", names: [this.#one(names)] };
    if (kind === 3) return { op: "restore", names: [this.#one(names)] };
    const context = this.#one(contexts);
    const text = this.#some(PIECES, 3).join("");
    return { op: context.source === "tool" && kind < 12 ? "snapshot" : "delta", context, text };
  }

  case(number: number): Case {
    const rules = Array.from({ length: 1 + this.#below(8) }, (_, index) => this.#rule(index));
    const names = rules.map((rule) => rule.name);
    const contexts = Array.from({ length: 1 + this.#below(4) }, () => this.#context());
    const settings: Record<string, unknown> = {};
    if (this.#below(3) === 0) Object.assign(settings, { repeatMode: "after-gap", repeatGap: this.#below(3) });
    if (this.#below(20) === 0) settings.enabled = false;
    if (this.#below(8) === 0) settings.builtinRules = false;
    if (this.#below(8) === 0) settings.disabledRules = [this.#one(names), "r99"];
    const agent = this.#below(6) ? "main" : this.#one(["sub", "explore"]);
    const events = Array.from({ length: 4 + this.#below(14) }, () => this.#event(contexts, names));
    return { about: `generated ${number}`, settings, agent, rules, events };
  }
}
