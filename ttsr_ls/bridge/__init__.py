"""Between an agent and the engine: adapters that turn what an agent emits into stream events, and drivers."""
