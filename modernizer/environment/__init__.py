"""Requirements of a notebook and the fresh environment that meets them."""
