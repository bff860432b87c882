"""The block engine: thousands of candidates at a time. `flow` says how its modules fit."""

from catpy.execution.blocks.flow import count_flow

__all__ = ["count_flow"]
