"""Cuts the site's font files out of those of @fontsource (README.md). Needs fontTools and Brotli."""

import sys
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

sources = Path(sys.argv[1])
here = Path(__file__).parent

# ASCII, the hard space, and the dashes, quotes and ellipsis of English.
ENGLISH = [*range(0x20, 0x7F), 0xA0, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026]


def cut(source, result, axes=None, letters=None, name=None):
    """`axes` as instantiateVariableFont has them; `letters` are all when left out; `name` is a new one for the font."""
    font = TTFont(sources / source, recalcTimestamp=False)
    if axes:
        # Written and read again, since the subsetter does not know the instancer's unwritten tables.
        narrowed = BytesIO()
        instantiateVariableFont(font, axes).save(narrowed)
        font = TTFont(narrowed, recalcTimestamp=False)
    options = Options()
    options.hinting = False
    options.name_IDs = ["*"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters or font.getBestCmap().keys())
    subsetter.subset(font)
    if name:
        rename(font, name)
    font.flavor = "woff2"
    font.save(here / f"{result}.woff2")


def rename(font, name):
    """A reserved name may stay in nothing but the notices of copyright and trademark."""
    names = font["name"]
    names.names = [record for record in names.names if record.nameID in (0, 7, 13, 14)]
    for id, text in ((1, name), (2, "Regular"), (3, f"{name} cut"), (4, name), (6, name.replace(" ", ""))):
        names.setName(text, id, 3, 1, 0x409)


for part in ("latin", "latin-ext"):
    cut(
        f"@fontsource-variable/newsreader/files/newsreader-{part}-opsz-normal.woff2",
        f"newsreader-{part}",
        axes={"opsz": (18, 72), "wght": 380},
    )
    cut(
        f"@fontsource-variable/hanken-grotesk/files/hanken-grotesk-{part}-wght-normal.woff2",
        f"hanken-grotesk-{part}",
        axes={"wght": (400, 700)},
    )
cut("@fontsource/lora/files/lora-latin-700-normal.woff2", "playlist-serif", letters=ENGLISH, name="Playlist Serif")
cut(
    "@fontsource/playfair-display/files/playfair-display-latin-600-normal.woff2",
    "playlist-display",
    letters=ENGLISH,
    name="Playlist Display",
)
cut("@fontsource/teko/files/teko-latin-400-normal.woff2", "teko", letters=ENGLISH)
cut("@fontsource/arimo/files/arimo-latin-700-normal.woff2", "arimo", letters=ENGLISH)
