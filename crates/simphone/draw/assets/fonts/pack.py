"""Packs a font in two files: metrics and outlines.

Most text is measured but never drawn, and outlines are most of a font's size, so they are unpacked only when text is
first drawn.

`NAME.metrics.lzma` is a font file with all tables but those below. For the fonts in `PLAIN`, which every screen measures,
it is uncompressed, `NAME.metrics.ttf`; for those in `QUICK`, which first screens of built-in apps measure, it is
`NAME.metrics.deflate`, which is larger but unpacked in a tenth of the time. `NAME.outlines.lzma` has these streams, each
after its length in four bytes: the lengths of the composite glyphs; for each glyph the number of its contours; the number of
points of each contour; a flag for each point; the horizontal deltas; the vertical deltas; the composite glyphs; the
tables COLR and CPAL. Streams of one kind of value are a fifth smaller than glyph by glyph. The bounding box of a glyph
follows from its points. Numbers are big-endian, as in font files.
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
    """Returns the tables of a font file by name."""
    found = {}
    for at in range(12, 12 + 16 * struct.unpack(">H", font[4:6])[0], 16):
        name, _, offset, length = struct.unpack(">4sIII", font[at:at + 16])
        found[name.decode()] = font[offset:offset + length]
    return found


def metrics(found):
    """Returns a font file without the outlines."""
    kept = {name: table for name, table in sorted(found.items()) if name not in OUTLINES}
    # The unpacked outlines have offsets of four bytes.
    head = kept["head"]
    kept["head"] = head[:50] + struct.pack(">h", 1) + head[52:]
    offset = 12 + 16 * len(kept)
    index, data = struct.pack(">IHHHH", 0x00010000, len(kept), 0, 0, 0), b""
    for name, table in kept.items():
        index += struct.pack(">4sIII", name.encode(), 0, offset + len(data), len(table))
        data += table + b"\0" * (-len(table) % 4)
    return index + data


def outlines(found):
    """Returns the streams of the outlines; see above."""
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
            assert struct.pack(">4h", left, low, right, high) == glyph[2:10], "a bounding box that does not follow from the points"
    streams = [lengths, contours, points, flags, across, up, composites, found.get("COLR", b""), found.get("CPAL", b"")]
    return b"".join(struct.pack(">I", len(stream)) + stream for stream in streams)


def packed(data):
    """Compresses with several LZMA parameters and returns the shortest result."""
    parameters = [(3, 0, 0), (2, 0, 0), (4, 0, 0), (3, 0, 1), (3, 0, 2), (1, 1, 1), (2, 1, 1)]
    found = []
    for lc, lp, pb in parameters:
        options = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 21,
                   "lc": lc, "lp": lp, "pb": pb}
        found.append(lzma.compress(data, format=lzma.FORMAT_ALONE, filters=[options]))
    return min(found, key=len)


def deflated(data):
    """Returns a raw deflate stream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return packer.compress(data) + packer.flush()


def write(folder, name, font):
    """Packs a font file and returns the sizes of its parts."""
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
