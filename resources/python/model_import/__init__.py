"""Builds a model by name, finds inputs for it, traces it, and says in one readable answer what went wrong."""
