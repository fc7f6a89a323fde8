package clawperator.agent;

/** Reads the values of a body; an invalid value is a malformed request. */
final class BodyReader {
    private final byte[] bytes;
    private int at;

    BodyReader(byte[] bytes) {
        this.bytes = bytes;
    }

    long uint() throws Failure {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = next();
            if (shift == 63 && next > 1) throw Failure.malformed("a number of more than 64 bits");
            value |= (long) (next & 127) << shift;
            if (next < 128) return value;
        }
        throw Failure.malformed("a number of more than 64 bits");
    }

    /** A uint that is at most `max`. */
    int uint(String name, int max) throws Failure {
        long value = uint();
        if (value < 0 || value > max) {
            String given = value < 0 ? "too large" : String.valueOf(value);
            throw Failure.malformed(name + " is " + given + ", at most " + max + " is allowed");
        }
        return (int) value;
    }

    long integer() throws Failure {
        long value = uint();
        return value >>> 1 ^ -(value & 1);
    }

    /** A coordinate: a 32-bit integer. */
    int coordinate() throws Failure {
        long value = integer();
        if (value != (int) value) throw Failure.malformed("a coordinate of " + value);
        return (int) value;
    }

    float real() throws Failure {
        int bits = 0;
        for (int i = 0; i < 4; i++) bits = bits << 8 | next();
        return Float.intBitsToFloat(bits);
    }

    byte[] bytes() throws Failure {
        long length = uint();
        if (length < 0 || length > bytes.length - at) throw Failure.malformed("the body ends early");
        return raw((int) length);
    }

    byte[] raw(int length) throws Failure {
        if (length > bytes.length - at) throw Failure.malformed("the body ends early");
        byte[] value = new byte[length];
        System.arraycopy(bytes, at, value, 0, length);
        at += length;
        return value;
    }

    String text() throws Failure {
        return Utf8.decode(bytes());
    }

    void end() throws Failure {
        if (at != bytes.length) throw Failure.malformed((bytes.length - at) + " unexpected bytes at the end of the body");
    }

    private int next() throws Failure {
        if (at >= bytes.length) throw Failure.malformed("the body ends early");
        return bytes[at++] & 255;
    }
}
