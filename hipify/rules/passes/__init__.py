"""One module a rewrite. Each has `run(context)` and the kinds of finding that it gives."""
