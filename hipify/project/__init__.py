"""Whole repositories: find the sources, name the outputs, translate in parallel, keep state, follow build files."""
