"""C++ and CUDA syntax: bytes in, tokens, structure and clang's answers out. Knows nothing of HIP."""
