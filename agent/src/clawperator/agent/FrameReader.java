package clawperator.agent;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads frames from a stream. */
final class FrameReader {
    private static final int HEADER_LENGTH = 5;
    private final InputStream stream;
    private final byte[] length = new byte[4];
    private final byte[] header = new byte[HEADER_LENGTH];

    FrameReader(InputStream stream) {
        this.stream = stream;
    }

    /** The next frame, or null at the end of the stream between two frames. */
    Frame read(int maxLength) throws IOException, Failure {
        int first = stream.read();
        if (first < 0) return null;
        length[0] = (byte) first;
        fill(length, 1);
        int bytes = uint32(length, 0);
        if (bytes < HEADER_LENGTH || bytes > maxLength) {
            throw Failure.malformed("a frame of " + (bytes & 0xffffffffL) + " bytes");
        }
        fill(header, 0);
        byte[] body = new byte[bytes - HEADER_LENGTH];
        fill(body, 0);
        return new Frame(header[0] & 255, uint32(header, 1), body);
    }

    private void fill(byte[] target, int from) throws IOException {
        int at = from;
        while (at < target.length) {
            int count = stream.read(target, at, target.length - at);
            if (count < 0) throw new EOFException("the stream ended in a frame");
            at += count;
        }
    }

    private static int uint32(byte[] from, int at) {
        return (from[at] & 255) << 24 | (from[at + 1] & 255) << 16 | (from[at + 2] & 255) << 8 | from[at + 3] & 255;
    }
}
