#!/usr/bin/env python3
"""Builds the subset fonts of this folder from the original packages.

    python3 -m venv venv && venv/bin/pip install 'fonttools[woff]==4.68.0'
    venv/bin/python make.py ORIGINALS

ORIGINALS is a folder with the unpacked packages named in README.md. The subsets have common characters and the layout
rules of their scripts, without hinting and glyph names; pack.py packs them. The output is deterministic.
"""

import io
import sys
from pathlib import Path

import pack
from fontTools import subset
from fontTools.ttLib import TTFont

HERE = Path(__file__).resolve().parent


def coded(codec, first, last):
    """Returns the characters in some rows of a two-byte encoding."""
    found = set()
    for high in range(first, last + 1):
        for low in range(0x40, 0xFF):
            try:
                text = bytes([high, low]).decode(codec)
            except UnicodeDecodeError:
                continue
            found.update(map(ord, text))
    return found


def span(first, last):
    return set(range(first, last + 1))


def han():
    """GB 2312 level 1, Big5 level 1, JIS X 0208 level 1; kana, bopomofo, punctuation, full-width forms."""
    characters = coded("gb2312", 0xB0, 0xD7) | coded("big5", 0xA4, 0xC6) | coded("euc_jp", 0xB0, 0xCF)
    characters = {c for c in characters if 0x3400 <= c <= 0x9FFF}
    return characters | span(0x3001, 0x30FF) | span(0x3105, 0x312F) | span(0x3200, 0x33FF) | span(0xFF01, 0xFFEE)


def hangul():
    """KS X 1001: the 2,350 syllables, and the single letters."""
    return coded("euc_kr", 0xB0, 0xC8) | span(0x3131, 0x318E)


# Skin tones are left out: an emoji with one is shown in yellow. A sequence that is not listed is shown as its parts.
SKIN = span(0x1F3FB, 0x1F3FF)
FLAGS = """
AD AE AR AT AU BA BD BE BG BR BY CA CH CL CN CO CR CU CY CZ DE DK DZ EE EG ES ET EU FI FR GB GE GH GR GT HK HR HU ID
IE IL IN IQ IR IS IT JM JP KE KR KZ LB LK LT LU LV MA MC MD MK MT MX MY NG NL NO NP NZ PE PH PK PL PR PS PT PY QA RO
RS RU SA SE SG SI SK SY TH TN TR TW UA UN US UY UZ VA VE VN ZA
""".split()
SEQUENCES = """
👨‍👩‍👦 👨‍👩‍👧 👨‍👩‍👧‍👦 ❤️‍🔥 ❤️‍🩹 🏳️‍🌈 🏳️‍⚧️ 🏴‍☠️ 👁️‍🗨️ 🐻‍❄️ 🐈‍⬛ 🐕‍🦺 😮‍💨 😵‍💫 😶‍🌫️
🤷‍♀️ 🤷‍♂️ 🤦‍♀️ 🤦‍♂️ 🙋‍♀️ 🙋‍♂️ 💁‍♀️ 💁‍♂️ 🙅‍♀️ 🙅‍♂️ 🙆‍♀️ 🙆‍♂️ 🙇‍♀️ 🙇‍♂️ 🏃‍♀️ 🏃‍♂️ 🚶‍♀️ 🚶‍♂️ 🚴‍♀️ 🚴‍♂️ 🏊‍♀️ 🏊‍♂️
🧑‍💻 👩‍💻 👨‍💻 🧑‍🍳 👩‍🍳 👨‍🍳 🧑‍🎓 👩‍🎓 👨‍🎓 🧑‍🏫 👩‍🏫 👨‍🏫 🧑‍🔧 👩‍🔧 👨‍🔧 🧑‍🚀 👩‍🚀 👨‍🚀 🧑‍⚕️ 👩‍⚕️ 👨‍⚕️
""".split()


def emoji(font):
    """Returns all single emoji; removes the ligatures of sequences other than the listed ones, flags and keycaps."""
    characters = {glyph: code for code, glyph in font.getBestCmap().items()}
    wanted = set(SEQUENCES)
    wanted |= {"".join(chr(0x1F1E6 + ord(letter) - ord("A")) for letter in flag) for flag in FLAGS}
    found = set()
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            for first, ligatures in table.ligatures.items():
                kept = []
                for ligature in ligatures:
                    codes = [characters.get(glyph) for glyph in [first, *ligature.Component]]
                    text = "".join(map(chr, codes)) if None not in codes else ""
                    if text in wanted or text.endswith("\u20e3"):
                        kept.append(ligature)
                        found.add(text)
                table.ligatures[first] = kept
            table.ligatures = {first: kept for first, kept in table.ligatures.items() if kept}
    assert wanted <= found, sorted(wanted - found)
    return set(font.getBestCmap()) - SKIN


DOTTED_CIRCLE, JOINERS = {0x25CC}, {0x200C, 0x200D}
# The font that is renamed.
RENAMED = "Nanum"

FONTS = [
    ("NotoSansArabic", "noto/NotoSansArabic-Regular.ttf", ["*"],
     span(0x600, 0x6FF) | span(0x750, 0x77F) | JOINERS | DOTTED_CIRCLE | {0x20}),
    ("NotoSansHebrew", "noto/NotoSansHebrew-Regular.ttf", ["*"],
     span(0x590, 0x5FF) | span(0xFB1D, 0xFB4F) | JOINERS | DOTTED_CIRCLE | {0x20}),
    ("NotoSansDevanagari", "noto/NotoSansDevanagari-Regular.ttf", ["*"],
     span(0x900, 0x97F) | JOINERS | DOTTED_CIRCLE | {0x20}),
    ("NotoSansThai", "noto/NotoSansThai-Regular.ttf", ["*"], span(0xE00, 0xE7F) | DOTTED_CIRCLE | {0x20}),
    ("DroidSansFallback", "droid/DroidSansFallbackFull.ttf", [], han),
    ("KoreanSans", "nanum/NanumGothic.ttf", [], hangul),
    ("TwemojiMozilla", "twemoji/twemoji.woff2", ["*"], emoji),
]


def make(source, features, characters):
    options = subset.Options()
    options.layout_features = features
    options.hinting = False
    options.glyph_names = False
    options.notdef_outline = True
    options.legacy_kern = False
    options.name_IDs = [0, 1, 2, 5, 13, 14]
    options.drop_tables += ["vhea", "vmtx", "FFTM", "DSIG", "VORG", "TSI0", "TSI1", "TSI2", "TSI3", "TSI5", "gasp"]
    if not features:
        options.drop_tables += ["GSUB", "GPOS", "GDEF"]
    font = TTFont(source, recalcTimestamp=False)
    font.flavor = None
    wanted = characters(font) if characters is emoji else characters() if callable(characters) else characters
    maker = subset.Subsetter(options)
    maker.populate(unicodes=wanted)
    maker.subset(font)
    if RENAMED in str(source):
        # The original's licence reserves its name for the original.
        for record in font["name"].names:
            if record.nameID == 1:
                font["name"].setName("Korean Sans", 1, record.platformID, record.platEncID, record.langID)
        font["name"].names = [record for record in font["name"].names if record.nameID in (0, 1, 5)]
    file = io.BytesIO()
    font.save(file)
    return file.getvalue(), font


def main():
    originals = Path(sys.argv[1])
    for name in ["NotoSansSymbols", "Roboto-Regular", "Roboto-Medium", "Roboto-Bold"]:
        print(name, pack.write(HERE, name, (originals / f"{name}.ttf").read_bytes()))
    for name, path, features, characters in FONTS:
        data, font = make(originals / path, features, characters)
        packed = pack.write(HERE, name, data)
        print(f"{name}: {len(font.getBestCmap())} characters, {len(font.getGlyphOrder())} glyphs, "
              f"{len(data)} bytes, packed {len(packed)}")


if __name__ == "__main__":
    main()
