"""One turn of a session: its requests, answers, tool calls and retries."""
