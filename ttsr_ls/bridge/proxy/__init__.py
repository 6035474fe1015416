"""A reverse proxy between an unmodified agent and its model: it interrupts, injects, and retries.

`exchange` is the state machine of one request; it knows no socket and no clock. `streams` reads and edits answers,
`requests` reads and edits requests, `ledger` decides which edits every later request needs. `features` asks
features and the judge. `serving` owns the sockets and the session logs. `launching` starts agents behind the proxy.
"""
