"""The language server. The only package that knows pygls.

- `main` starts it, `server` is the shared state, `features` the table of methods; `methods/` has a file for each
  method.
- `transport/` frames messages, `convert` and `uris` convert values, `client` has the client's capabilities.
- `analysis/` checks open documents in the background, `publishing` pushes diagnostics; `threads/request_priority` lets
  messages go first.
- `options`, `configuration` and `configuration_edit` have the settings of editors and projects.
- `rule_names/`, `match_counts/`, `trial/`, `runs/` and `window/` are the server's side of features that need the
  disk, processes or the client's window.
"""
