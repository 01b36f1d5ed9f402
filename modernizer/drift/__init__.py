"""What changed in the packages' APIs between a notebook's date and today: read from released sources, never imported."""
