"""Questions about conditions that several checks ask: samples, coverage, counterexamples, JSON texts."""
