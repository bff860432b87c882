"""The cat language: text → tokens → syntax tree → evaluation over a relational algebra.

Nothing here knows of litmus tests or of an architecture: a model is run on an algebra and a table
of pre-bound names, and yields what it accepts.
"""
