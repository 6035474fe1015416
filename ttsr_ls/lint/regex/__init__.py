"""Questions about conditions that several checks share: samples, coverage, counterexamples, JSON texts."""
