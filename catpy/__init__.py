"""catpy: a herd-style interpreter for `.cat` memory models, for GPUs first."""

__version__ = "0.1.0"
