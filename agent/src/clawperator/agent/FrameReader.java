package clawperator.agent;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads frames from a stream. */
final class FrameReader {
    private static final int HEAD = 5;
    private final InputStream stream;
    private final byte[] length = new byte[4];
    private final byte[] head = new byte[HEAD];

    FrameReader(InputStream stream) {
        this.stream = stream;
    }

    /** The next frame, or null at the end of the stream between two frames. */
    Frame read(int longest) throws IOException, Failure {
        int first = stream.read();
        if (first < 0) return null;
        length[0] = (byte) first;
        fill(length, 1);
        int bytes = uint32(length, 0);
        if (bytes < HEAD || bytes > longest) {
            throw Failure.malformed("a frame of " + (bytes & 0xffffffffL) + " bytes");
        }
        fill(head, 0);
        byte[] body = new byte[bytes - HEAD];
        fill(body, 0);
        return new Frame(head[0] & 255, uint32(head, 1), body);
    }

    private void fill(byte[] target, int from) throws IOException {
        int at = from;
        while (at < target.length) {
            int got = stream.read(target, at, target.length - at);
            if (got < 0) throw new EOFException("the stream ended in a frame");
            at += got;
        }
    }

    private static int uint32(byte[] from, int at) {
        return (from[at] & 255) << 24 | (from[at + 1] & 255) << 16 | (from[at + 2] & 255) << 8 | from[at + 3] & 255;
    }
}
