"""Litmus test files: text → structure. Knows text only: no instruction, no event, no model."""

from catpy.litmus.parser import parse_test
from catpy.litmus.syntax import LitmusTest

__all__ = ["LitmusTest", "parse_test"]
