"""One source for both platforms: a header that gives CUDA's names to HIP, made for the names that a project uses."""
