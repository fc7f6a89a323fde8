"""Packs a font in two files: what measuring needs, and the outlines.

Text is measured long before it is drawn, and most text never is, so that the outlines, which are nearly all of a font,
are unpacked when the first picture is made.

`NAME.metrics.lzma` is a font file with all tables but those below. Of the fonts in `PLAIN`, which every screen measures,
it lies there unpacked as `NAME.metrics.ttf`; of those in `QUICK`, which first screens of built-in apps measure, it is
`NAME.metrics.deflate`, which is larger and unpacked in a tenth of the time. `NAME.outlines.lzma` holds, each with its length as
four bytes in front: the lengths of the composite glyphs; for each glyph the number of its contours; the number of
points of each contour; a flag for each point; the steps to the side; the steps upwards; the composite glyphs as they
are; the tables COLR and CPAL. Values of one kind beside each other pack a fifth smaller than glyph by glyph. What a
glyph says of its own extent follows from its points. Numbers are big-endian, as in font files.
"""

import lzma
import struct
import sys
import zlib
from pathlib import Path

OUTLINES = ["glyf", "loca", "COLR", "CPAL"]
PLAIN = ["Roboto-Regular", "Roboto-Medium"]
QUICK = ["Roboto-Bold", "NotoSansArabic", "DroidSansFallback", "TwemojiMozilla"]


def tables(font):
    """The tables of a font file by their names."""
    found = {}
    for at in range(12, 12 + 16 * struct.unpack(">H", font[4:6])[0], 16):
        name, _, offset, length = struct.unpack(">4sIII", font[at:at + 16])
        found[name.decode()] = font[offset:offset + length]
    return found


def metrics(found):
    """A font file without the outlines."""
    kept = {name: table for name, table in sorted(found.items()) if name not in OUTLINES}
    # The places of the outlines are written anew when they are unpacked, as four bytes each.
    head = kept["head"]
    kept["head"] = head[:50] + struct.pack(">h", 1) + head[52:]
    offset = 12 + 16 * len(kept)
    index, data = struct.pack(">IHHHH", 0x00010000, len(kept), 0, 0, 0), b""
    for name, table in kept.items():
        index += struct.pack(">4sIII", name.encode(), 0, offset + len(data), len(table))
        data += table + b"\0" * (-len(table) % 4)
    return index + data


def outlines(found):
    """The streams of the outlines; see above."""
    long_places = struct.unpack(">h", found["head"][50:52])[0] == 1
    width, kind, factor = (4, "I", 1) if long_places else (2, "H", 2)
    loca = struct.unpack(f">{len(found['loca']) // width}{kind}", found["loca"])
    glyphs = [found["glyf"][a * factor:b * factor] for a, b in zip(loca, loca[1:])]
    lengths, contours, points, flags, across, up, composites = (bytearray() for _ in range(7))
    for glyph in glyphs:
        count = struct.unpack(">h", glyph[:2])[0] if glyph else 0
        contours += struct.pack(">h", count)
        if count < 0:
            lengths += struct.pack(">H", len(glyph))
            composites += glyph
            continue
        at = 10
        ends = struct.unpack(f">{count}H", glyph[at:at + 2 * count])
        at += 2 * count
        for before, end in zip((-1, *ends), ends):
            points += struct.pack(">H", end - before)
        total = ends[-1] + 1 if ends else 0
        own = bytearray()
        if total:
            at += 2 + struct.unpack(">H", glyph[at:at + 2])[0]
        while len(own) < total:
            flag, at = glyph[at], at + 1
            own.append(flag & 0x37)
            if flag & 8:
                own += bytes([flag & 0x37]) * glyph[at]
                at += 1
        extent = []
        for to, short, same in [(across, 2, 16), (up, 4, 32)]:
            place, places = 0, []
            for flag in own:
                if flag & short:
                    step, length = glyph[at] if flag & same else -glyph[at], 1
                else:
                    length = 0 if flag & same else 2
                    step = struct.unpack(">h", glyph[at:at + 2])[0] if length else 0
                to += glyph[at:at + length]
                at += length
                place += step
                places.append(place)
            extent.append((min(places, default=0), max(places, default=0)))
        flags += own
        if total:
            (left, right), (low, high) = extent
            assert struct.pack(">4h", left, low, right, high) == glyph[2:10], "an extent of its own"
    streams = [lengths, contours, points, flags, across, up, composites, found.get("COLR", b""), found.get("CPAL", b"")]
    return b"".join(struct.pack(">I", len(stream)) + stream for stream in streams)


def packed(data):
    """The shortest of a few ways to pack."""
    ways = [(3, 0, 0), (2, 0, 0), (4, 0, 0), (3, 0, 1), (3, 0, 2), (1, 1, 1), (2, 1, 1)]
    found = []
    for lc, lp, pb in ways:
        way = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 21,
               "lc": lc, "lp": lp, "pb": pb}
        found.append(lzma.compress(data, format=lzma.FORMAT_ALONE, filters=[way]))
    return min(found, key=len)


def deflated(data):
    """Without a header and a sum."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return packer.compress(data) + packer.flush()


def write(folder, name, font):
    """Packs a font file; how long its two parts have become."""
    found = tables(font)
    measured = metrics(found)
    if name in PLAIN:
        parts = {"metrics.ttf": measured}
    elif name in QUICK:
        parts = {"metrics.deflate": deflated(measured)}
    else:
        parts = {"metrics.lzma": packed(measured)}
    parts["outlines.lzma"] = packed(outlines(found))
    for part, data in parts.items():
        (Path(folder) / f"{name}.{part}").write_bytes(data)
    return {part: len(data) for part, data in parts.items()}


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        print(path.stem, write(path.parent, path.stem, path.read_bytes()))
