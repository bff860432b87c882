"""What tests of the commands share."""

from __future__ import annotations

from pathlib import Path

from tests.support import MODELS

MP = """PTX MP+small
{ x=0; f=0; }
 P0@cta 0,gpu 0         | P1@cta 1,gpu 0         ;
 st.weak [x], 1         | ld.acquire.gpu r0, [f] ;
 st.release.gpu [f], 1  | ld.weak r1, [x]        ;
~exists (1:r0=1 /\\ 1:r1=0)
"""


def weaker_model(
    folder: Path, check: str = "irreflexive (rf | fr); causality as Causality\n"
) -> str:
    text = (MODELS / "ptx.cat").read_text(encoding="utf-8")
    assert check in text
    (folder / "copy").mkdir(exist_ok=True)
    path = folder / "copy" / "ptx.cat"
    path.write_text(text.replace(check, ""), encoding="utf-8")
    return str(path)
