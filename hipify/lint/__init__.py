"""Findings without a translation: which files, which findings, what was accepted before, and what changed since."""
