"""Textures, surfaces, constants and aliases under the mixed-proxy model of PTX 7.5."""

from __future__ import annotations

import pytest

from tests.support import outcome_of

#: A hand-off from one CTA to another: what is written, and fences on either side.
HANDOFF = """PTX t
{{ x = 0; y aliases x; flag = 0; s @ surface aliases x; t @ texture aliases {target}; }}
P0@cta 0,gpu 0 {{ {write}; {before} st.release.gpu [flag], 1; }}
P1@cta {cta},gpu 0 {{ ld.acquire.gpu r0, [flag]; {after} {read}; }}
~exists (1:r0 = 1 /\\ 1:r1 != 2)
"""
GENERIC, SURFACE = "st.weak [x], 2", "sust.weak s, 2"
PLAIN, TEXTURE, READ_SURFACE = "ld.weak r1, [x]", "tld.weak r1, t", "suld.weak r1, s"
SUR, TEX, ALIAS = "fence.proxy.surface;", "fence.proxy.texture;", "fence.proxy.alias;"


@pytest.mark.parametrize(
    ("write", "before", "after", "read", "holds"),
    [
        (GENERIC, "", "", PLAIN, True),
        (GENERIC, "", TEX, TEXTURE, True),
        (GENERIC, TEX, "", TEXTURE, False),
        (GENERIC, "", "", TEXTURE, False),
        (GENERIC, "", SUR, TEXTURE, False),
        (SURFACE, SUR, "", PLAIN, True),
        (SURFACE, "", SUR, PLAIN, False),
        (SURFACE, SUR, SUR, READ_SURFACE, True),
        (SURFACE, SUR, "", READ_SURFACE, False),
        (SURFACE, "", "", READ_SURFACE, False),
        (SURFACE, SUR, TEX, TEXTURE, True),
        (SURFACE, SUR + TEX, "", TEXTURE, False),
        (SURFACE, "", SUR + TEX, TEXTURE, False),
        (SURFACE, TEX, SUR, TEXTURE, False),
    ],
)
def test_fences_belong_to_the_thread_block_of_the_access(
    write: str, before: str, after: str, read: str, holds: bool
) -> None:
    text = HANDOFF.format(write=write, before=before, after=after, read=read, target="x", cta=1)
    verdict = outcome_of(text, "ptx-v7.5").verdict.value
    assert verdict == ("Ok" if holds else "No")


@pytest.mark.parametrize(("before", "after"), [("", ""), (SUR, ""), ("", SUR)])
def test_one_proxy_in_one_thread_block_needs_no_fence(before: str, after: str) -> None:
    text = HANDOFF.format(
        write=SURFACE, before=before, after=after, read=READ_SURFACE, target="x", cta=0
    )
    assert outcome_of(text, "ptx-v7.5").verdict.value == "Ok"


@pytest.mark.parametrize(
    ("before", "after", "holds"),
    [
        (SUR + ALIAS, TEX, True),
        (SUR, ALIAS + TEX, True),
        (SUR, TEX, False),
        (ALIAS + SUR, TEX, False),
        (SUR, TEX + ALIAS, False),
    ],
)
def test_an_alias_fence_stands_between_the_fences_of_two_proxies(
    before: str, after: str, holds: bool
) -> None:
    text = HANDOFF.format(
        write=SURFACE, before=before, after=after, read=TEXTURE, target="y", cta=1
    )
    assert outcome_of(text, "ptx-v7.5").verdict.value == ("Ok" if holds else "No")


def test_the_model_of_9_4_leaves_textures_out() -> None:
    text = HANDOFF.format(write=GENERIC, before="", after=TEX, read=TEXTURE, target="x", cta=1)
    assert "outside-the-model" in outcome_of(text, "ptx").flags


@pytest.mark.parametrize(
    ("threads", "outcome"),
    [
        (
            "P0 { st.relaxed.gpu [x], 1; ld.relaxed.gpu r0, [y]; }"
            " P1 { st.relaxed.gpu [y], 2; ld.relaxed.gpu r1, [x]; }",
            "0:r0=0 /\\ 1:r1=0",
        ),
        (
            "P0 { st.weak [d], 1; st.release.gpu [x], 1; st.relaxed.gpu [y], 2; }"
            " P1 { ld.relaxed.gpu r0, [y]; ld.acquire.gpu r1, [x]; ld.weak r2, [d]; }",
            "1:r0=2 /\\ 1:r1=0 /\\ 1:r2=0",
        ),
    ],
)
def test_program_order_on_a_location_is_that_on_a_virtual_address(
    threads: str, outcome: str
) -> None:
    for second, holds in (("y aliases x;", True), ("", False)):
        named = threads if second else threads.replace("[y]", "[x]")
        text = f"PTX t\n{{ x = 0; d = 0; {second} }}\n{named}\nexists ({outcome})\n"
        assert outcome_of(text, "ptx-v7.5").verdict.value == ("Ok" if holds else "No")
