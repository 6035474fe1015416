"""The features of this package, each built on hooks only."""
