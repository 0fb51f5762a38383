"""Build and run what was translated: find the toolchain, compile, bring its errors home, run. Never reached by lint."""
