"""Words that are the beginning of well-known longer words: a delta may end there in mid-word.

Only words with a common longer word are listed, and no plurals or other endings, which a model writes in one token with
the word.
"""

from __future__ import annotations

IN_CODE = {
    # Rust
    "unwrap": "unwrap_or", "expect": "expect_err", "spawn": "spawn_blocking", "iter": "iter_mut", "block": "block_on",
    "assert": "assert_eq", "debug_assert": "debug_assert_eq", "map": "map_err", "unreachable": "unreachable_unchecked",
    "ok": "ok_or", "unwrap_or": "unwrap_or_else", "transmute": "transmute_copy", "join": "join_all",
    "write": "writeln", "eprint": "eprintln",
    # Python
    "async": "asyncio", "import": "importlib", "dict": "dictConfig", "set": "setattr",
    "get": "getattr", "json": "jsonify", "type": "typedef",
    # TypeScript and JavaScript
    "const": "constructor", "string": "stringify", "fetch": "fetchData",
    "default": "defaultProps", "class": "className", "enum": "enumerate", "parse": "parseInt",
    "log": "logger", "eval": "evaluate", "exec": "execute", "require": "required",
    "process": "processor",
    # Shells
    "git": "gitignore", "python": "python3", "pip": "pip3", "npm": "npmrc", "node": "node_modules",
    "docker": "dockerfile", "make": "makefile", "mysql": "mysqldump", "rm": "rmdir", "sudo": "sudoers",
    "bash": "bashrc", "zsh": "zshrc", "yarn": "yarnrc", "env": "environment", "pg": "pg_dump", "kill": "killall",
    "vim": "vimrc", "ssh": "sshpass", "bun": "bundle", "cat": "catalog", "uv": "uvicorn", "mv": "mvn", "ps": "psql",
    "go": "gofmt", "cp": "cpp",
}  # fmt: skip
"""A word in code or commands, and a longer word that also occurs there."""

IN_PROSE = {
    "any": "anything", "some": "something", "every": "everything", "no": "nothing", "can": "cannot",
    "may": "maybe", "how": "however", "what": "whatever", "when": "whenever", "where": "wherever", "there": "therefore",
    "after": "afterwards", "hard": "hardcode", "work": "workaround", "fall": "fallback",
    "place": "placeholder", "temp": "temporary", "git": "github", "java": "javascript", "type": "typescript",
}  # fmt: skip
"""A word in prose, and a longer word that is as common."""
