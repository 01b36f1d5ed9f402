"""The language model's part of a repair: what it is shown, what it costs, what its answers mean."""
