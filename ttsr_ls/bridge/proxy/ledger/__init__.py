"""Records the differences between the model's view of a conversation and the client's, before they are used."""
