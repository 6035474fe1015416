"""The hook contract: the results of features at each hook, and the checks of these results (spec Y)."""
