"""Compiled templates in the user's cache: compiling the page's takes as long as filling it in."""

from __future__ import annotations

from contextlib import suppress

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from hipify import user_cache
from hipify.fingerprints import fingerprint


class Compiled(BytecodeCache):
    """Keeps what jinja2 has compiled; where nothing can be kept, it compiles each time."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read what there is; a bucket left empty is compiled. jinja2 looks whether it is for this version of it."""
        if body := user_cache.sealed(*_place(bucket)):
            bucket.bytecode_from_string(body)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it."""
        with suppress(OSError):
            user_cache.seal(*_place(bucket), bucket.bytecode_to_string())
            user_cache.forget("template-")


def _place(bucket: Bucket) -> tuple[str, str]:
    """The file, one for each template and version of the compiler, and the state of the template that it is for."""
    from jinja2.bccache import bc_magic

    return f"{user_cache.folder()}/template-{fingerprint(bc_magic + bucket.key.encode())}.marshal", bucket.checksum
