"""The project on which the reference agent's command line is recorded, and the arguments that are tried there."""

from __future__ import annotations

from typing import Any

FILES = {
    "home/.omp/agent/config.yml": "ttsr:\n  builtinRules: false\n",
    "home/.omp/agent/rules/from-home.md": "---\ncondition: from home\ndescription: At home.\n---\nSay so.\n",
    "project/.omp/rules/any.md": (
        "---\ndescription: Name it\ncondition: ': any\\b'\nscope: tool:edit(src/**), text\nagents: main\n---\nSay so.\n"
    ),
    "project/.omp/rules/prose.md": "---\ncondition: ['evidence', 'as an AI', '(?i)HONEST']\n---\nSay so.\n",
    "project/.omp/rules/gated.md": "---\ncondition: foo\nscope: [tool]\nglobs: ['*.ts', 'lib/**']\n---\nSay so.\n",
    "project/.omp/rules/gated-text.md": "---\ncondition: foo\nscope: text\nglobs: '*.ts'\n---\nSay so.\n",
    "project/.omp/rules/glob.md": "---\ncondition: '*.lock'\n---\nSay so.\n",
    "project/.omp/rules/mind.md": "---\ncondition: hmm\nscope: thinking\n---\nSay so.\n",
    "project/.omp/rules/shell.md": "---\ncondition: 'rm -rf'\nscope: tool:bash\n---\nSay so.\n",
    "project/.omp/rules/sub.md": "---\ncondition: foo\nagents: [sub, 'scout-*']\n---\nSay so.\n",
    "project/.omp/rules/always.md": "---\nalwaysApply: true\n---\nSay so.\n",
    "project/.omp/rules/book.md": "---\ndescription: About books\n---\nSay so.\n",
    "project/.omp/rules/dropped.md": "---\nscope: text\n---\nSay so.\n",
    "project/.omp/rules/off.md": "---\ncondition: foo\nenabled: false\n---\nSay so.\n",
    "project/.omp/rules/broken.md": "---\ncondition: ['(', 'fine']\ndescription: Half of it\n---\nSay so.\n",
    "project/.omp/rules/unreachable.md": "---\ncondition: foo\nscope: 'tool:*'\ndescription: Nowhere\n---\nSay so.\n",
    "project/.omp/rules/bare.md": "---\ncondition: foo\nscope: prose\n---\nSay so.\n",
    "project/.omp/rules/quiet.md": "---\ncondition: foo\ninterruptMode: never\nscope: tool:Write\n---\nSay so.\n",
    "project/.omp/rules/empty.md": "---\ncondition: foo\n---\n",
    "project/.agents/rules/any.md": "---\ncondition: shadowed\n---\nSay so.\n",
    "project/.agents/rules/agents.md": "---\ncondition: foo$\n---\nSay so.\n",
    "project/src/a.ts": "const a: any = 1; foo\n",
    "project/src/notes.txt": "evidence of foo\n",
    "project/src/page.svg": "foo\n",
    "project/Makefile": "foo:\n",
    "project/loose.md": "---\ncondition: loose\nenabled: false\nscope: text, tool:edit(*.ts)\n---\nSay so.\n",
}


def alone(rule: str, *args: str) -> dict[str, Any]:
    return {"args": ["test", "--rule", rule, *args]}


CASES: list[dict[str, Any]] = [
    {"args": ["list"]},
    {"args": ["test", "let a: any = 1"]},
    {"args": ["test", "nothing at all"]},
    {"args": ["test", "evidence and honest"]},
    {"args": ["test", "foo", "--verbose"]},
    {"args": ["test", "foo", "--source", "thinking"]},
    {"args": ["test", "hmm", "--source", "thinking"]},
    {"args": ["test", "foo", "--source", "tool"]},
    {"args": ["test", "foo", "--source", "tool", "--tool", "write"]},
    {"args": ["test", "foo", "--source", "tool", "--tool", "WRITE", "--path", "x.ts"]},
    {"args": ["test", "foo", "--source", "tool", "--path", "x.ts"]},
    {"args": ["test", "foo", "--path", "x.ts"]},
    {"args": ["test", "foo", "--path", "lib/x.py"]},
    {"args": ["test", "foo", "--path", "x.unknown"]},
    {"args": ["test", "foo", "--path", "yarn.lock"]},
    {"args": ["test", "x", "--source", "tool", "--path", "yarn.lock"]},
    {"args": ["test", "x: any", "--source", "tool", "--path", "src/b.ts"]},
    {"args": ["test", "x: any", "--source", "tool", "--path", "lib/b.ts"]},
    {"args": ["test", "rm -rf /", "--source", "tool", "--tool", "bash"]},
    {"args": ["test", "rm -rf /", "--tool", "bash"]},
    {"args": ["test", "foo", "--agent", "sub"]},
    {"args": ["test", "foo", "--agent", "scout-1"]},
    {"args": ["test", "foo", "--agent", "nobody"]},
    {"args": ["test", "foo", "--agent", " Scout-1 "]},
    {"args": ["test", "x: any", "--agent", ""]},
    {"args": ["test", "--file", "src/a.ts"]},
    {"args": ["test", "src/a.ts"]},
    {"args": ["test", "--file", "src/a.ts", "--source", "text"]},
    {"args": ["test", "--file", "src/a.ts", "--path", "other.py"]},
    {"args": ["test", "--file", "src/notes.txt"]},
    {"args": ["test", "--file", "src/page.svg"]},
    {"args": ["test", "--file", "Makefile"]},
    {"args": ["test", "snippet", "--file", "src/a.ts"]},
    {"args": ["test", "--file", "-"], "stdin": "evidence"},
    {"args": ["test", "--file", "-", "--path", "q.ts"], "stdin": "foo"},
    {"args": ["test", "--file", "-", "--path", "q.ts", "--source", "text"], "stdin": "foo"},
    alone(".omp/rules/prose.md", "evidence"),
    alone(".omp/rules/prose.md", "nothing"),
    alone(".omp/rules/prose.md", "nothing", "--verbose"),
    alone(".omp/rules/prose.md", "I am HoNeSt, as an AI"),
    alone(".omp/rules/gated.md", "foo", "--source", "tool", "--path", "deep/er/x.ts"),
    alone(".omp/rules/gated.md", "foo", "--source", "tool", "--path", "lib/x.py"),
    alone(".omp/rules/gated.md", "foo", "--source", "tool"),
    alone(".omp/rules/gated-text.md", "foo"),
    alone(".omp/rules/gated-text.md", "foo", "--source", "text", "--path", "x.ts"),
    alone(".omp/rules/any.md", "x: any", "--agent", "sub"),
    alone(".omp/rules/any.md", "x: anything"),
    alone(".omp/rules/any.md", "--file", "src/a.ts"),
    alone(".omp/rules/always.md", "foo"),
    alone(".omp/rules/dropped.md", "foo"),
    alone(".omp/rules/unreachable.md", "foo"),
    alone(".omp/rules/broken.md", "fine"),
    alone(".omp/rules/off.md", "foo"),
    alone(".omp/rules/empty.md", "foo"),
    alone("loose.md", "loose"),
    alone("loose.md", "loose", "--path", "x.ts"),
    alone(".agents/rules/agents.md", "a foo"),
    alone(".agents/rules/agents.md", "a foo\n"),
    alone(".agents/rules/agents.md", "  a\n\n  b\tc\u00a0d  "),
    alone(".agents/rules/agents.md", "x" * 80),
    alone(".agents/rules/agents.md", "x" * 81),
    alone(".agents/rules/agents.md", "é" * 40 + "😀" * 30),
    alone("missing.md", "foo"),
    {"args": ["test"]},
    {"args": ["test", "--file", "missing.ts"]},
    {"args": ["test", "foo", "--source", "bogus"]},
]
# What a word boundary, a lookahead and an end say of a text and of its beginnings (spec M6).
CASES += [
    alone(".omp/rules/end.md", text)
    for text in ("any", "anything", "unwrap", "unwrap_or", "done", "dones", "=> s", "=> s{", "=> s\n")
]
FILES["project/.omp/rules/end.md"] = (
    "---\ncondition:\n  - '\\bany\\b'\n  - 'unwrap(?!_or)'\n  - 'done$'\n  - '(?m)=> \\w$'\n---\nSay so.\n"
)
