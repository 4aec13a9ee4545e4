"""Cuts the site's font files out of those of @fontsource (README.md). Needs fontTools and Brotli."""

import sys
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.varLib.instancer import instantiateVariableFont

sources = Path(sys.argv[1])
here = Path(__file__).parent

# ASCII, the hard space, and the dashes, quotes and ellipsis of English.
ENGLISH = [*range(0x20, 0x7F), 0xA0, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026]
# English, the usual small letters of Western Europe, and the signs of the interface: £ © · × € −.
COMMON = [*ENGLISH, *map(ord, "ßàáâãäåçèéêëìíîïñòóôõöøùúûü£©·×€−")]


def cut(source, result, axes=None, letters=None, without=(), features=None, units=None, name=None):
    """`axes` as instantiateVariableFont has them; `letters` are all when left out, except those of `without`; `features`
    are those of OpenType that stay; `units` is a new number of units per em; `name` is a new one for the font."""
    font = TTFont(sources / source, recalcTimestamp=False)
    if axes:
        # Written and read again, since the subsetter does not know the instancer's unwritten tables.
        narrowed = BytesIO()
        instantiateVariableFont(font, axes).save(narrowed)
        font = TTFont(narrowed, recalcTimestamp=False)
    options = Options()
    options.hinting = False
    options.name_IDs = ["*"]
    if features:
        options.layout_features = features
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=set(letters or font.getBestCmap()) - set(without))
    subsetter.subset(font)
    if units:
        scale_upem(font, units)
    if features:
        round_kerning(font)
    if name:
        rename(font, name)
    font.flavor = "woff2"
    font.save(here / f"{result}.woff2")


def round_kerning(font):
    """Rounds the kerning to 0.8 % of an em, which moves a letter by 0.1 px at most in a text of 24 px, and keeps that of the
    lightest weight for all: a tenth of the file."""
    step = font["head"].unitsPerEm / 125

    def round_value(value):
        if value is None:
            return
        value.XAdvance = round(round(value.XAdvance / step) * step)
        value.XAdvDevice = None

    for lookup in font["GPOS"].table.LookupList.Lookup:
        for pairs in lookup.SubTable:
            pairs = pairs.ExtSubTable if lookup.LookupType == 9 else pairs
            for first in pairs.PairSet if pairs.Format == 1 else pairs.Class1Record:
                for record in first.PairValueRecord if pairs.Format == 1 else first.Class2Record:
                    round_value(record.Value1)


def rename(font, name):
    """A reserved name may stay in nothing but the notices of copyright and trademark."""
    names = font["name"]
    names.names = [record for record in names.names if record.nameID in (0, 7, 13, 14)]
    for id, text in ((1, name), (2, "Regular"), (3, f"{name} cut"), (4, name), (6, name.replace(" ", ""))):
        names.setName(text, id, 3, 1, 0x409)
    # It refers to names that are gone, which Firefox reports, and says nothing of use about a single style.
    del font["STAT"]


NEWSREADER = "@fontsource-variable/newsreader/files/newsreader-{}-opsz-normal.woff2"
HANKEN = "@fontsource-variable/hanken-grotesk/files/hanken-grotesk-{}-wght-normal.woff2"
for family, file, axes, units in (
    ("newsreader", NEWSREADER, {"opsz": 32, "wght": 380}, 1000),
    ("hanken-grotesk", HANKEN, {"wght": (400, 700)}, None),
):
    latin = file.format("latin")
    cut(latin, f"{family}-common", axes, letters=COMMON, features=["kern", "liga"], units=units)
    cut(latin, f"{family}-latin", axes, without=COMMON, units=units)
    cut(file.format("latin-ext"), f"{family}-latin-ext", axes, units=units)
cut(
    NEWSREADER.format("latin"),
    "newsreader-large",
    {"opsz": 60, "wght": 365},
    letters=COMMON,
    features=["kern", "liga"],
    units=1000,
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
