package clawperator.agent;

import java.util.Arrays;

/** Writes the values of a body. */
final class BodyWriter {
    private byte[] bytes;
    private int size;

    BodyWriter() {
        this(64);
    }

    BodyWriter(int capacity) {
        bytes = new byte[capacity];
    }

    int size() {
        return size;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, size);
    }

    BodyWriter uint(long value) {
        reserve(10);
        long remaining = value;
        while ((remaining & ~127L) != 0) {
            bytes[size++] = (byte) (remaining & 127 | 128);
            remaining >>>= 7;
        }
        bytes[size++] = (byte) remaining;
        return this;
    }

    BodyWriter integer(long value) {
        return uint(value << 1 ^ value >> 63);
    }

    BodyWriter real(float value) {
        reserve(4);
        int bits = Float.floatToIntBits(value);
        for (int shift = 24; shift >= 0; shift -= 8) bytes[size++] = (byte) (bits >>> shift);
        return this;
    }

    BodyWriter bytes(byte[] value) {
        uint(value.length);
        return raw(value, 0, value.length);
    }

    BodyWriter raw(byte[] value, int from, int length) {
        reserve(length);
        System.arraycopy(value, from, bytes, size, length);
        size += length;
        return this;
    }

    BodyWriter append(BodyWriter other) {
        return raw(other.bytes, 0, other.size);
    }

    BodyWriter text(String value) {
        return bytes(Utf8.encode(value));
    }

    private void reserve(int more) {
        int needed = size + more;
        if (needed < 0) throw new OutOfMemoryError("a body of more than 2 GiB");
        if (needed <= bytes.length) return;
        int doubled = (int) Math.min((long) bytes.length * 2, Integer.MAX_VALUE - 8);
        bytes = Arrays.copyOf(bytes, Math.max(needed, doubled));
    }
}
