"""One driver for each agent, and the table of them."""
