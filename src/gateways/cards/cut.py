"""Makes the one font of link previews' cards out of the site's own Newsreader: static, both Latin parts in one file.

python3 cut.py ../../web/styles/fonts newsreader-card.ttf   (needs fontTools and Brotli)
"""

import sys
from io import BytesIO
from pathlib import Path

from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

fonts, result = Path(sys.argv[1]), Path(sys.argv[2])
parts = []
for part in ("latin", "latin-ext"):
    font = TTFont(fonts / f"newsreader-{part}.woff2", recalcTimestamp=False)
    instantiateVariableFont(font, {"opsz": 40}, inplace=True)
    font.flavor = None
    if part == "latin-ext":
        for table in ("GSUB", "GPOS", "GDEF"):
            if table in font:
                del font[table]
    file = BytesIO()
    font.save(file)
    file.seek(0)
    parts.append(file)
whole = Merger().merge(parts)
# A name of its own, so that no other cut of it on the machine is taken instead.
names = whole["name"]
names.names = [record for record in names.names if record.nameID in (0, 7, 13, 14)]
for id, text in ((1, "Newsreader Card"), (2, "Regular"), (3, "Newsreader Card cut"), (4, "Newsreader Card"), (6, "NewsreaderCard")):
    names.setName(text, id, 3, 1, 0x409)
whole.save(result)
