"""The subcommands, one module each; see hipify.cli.main for what such a module offers."""
