"""Where the model's view of a conversation differs from the client's, committed to the log before it is used."""
