"""The test of an agent's hooks: calls that break rules, and a scripted model that makes a real agent do them."""
