"""The threads of the server, and the priority of requests over work in the background."""
