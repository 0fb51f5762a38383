"""One module a family of findings. Each has `run(context)`; its kinds are its documentation and its tests."""
