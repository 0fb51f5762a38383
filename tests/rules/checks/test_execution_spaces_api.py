"""Instantiations with CUDA's functions are no mismatch of host and device: clang is not told their types."""

import hipify


def test_a_function_of_cudas_as_a_template_argument() -> None:
    text = "template <cudaError_t (*F)(void*)> void call(void* p) { F(p); }\ntemplate void call<cudaFree>(void*);\n"
    made = hipify.translate_source("#include <cuda_runtime.h>\n" + text, "t.cu")
    assert b"template void call<hipFree>(void*);" in made.output
    assert made.findings == ()
