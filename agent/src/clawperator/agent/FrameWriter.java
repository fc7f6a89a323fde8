package clawperator.agent;

import java.io.IOException;
import java.io.OutputStream;

/** Writes frames to a stream; several threads may share it. */
final class FrameWriter {
    private final OutputStream stream;

    FrameWriter(OutputStream stream) {
        this.stream = stream;
    }

    /** Writes one frame in a single call, so that it is not split into several packets. */
    synchronized void write(int kind, int id, BodyWriter body) throws IOException {
        byte[] frame = new byte[9 + body.size()];
        int length = frame.length - 4;
        put(frame, 0, length);
        frame[4] = (byte) kind;
        put(frame, 5, id);
        body.copyTo(frame, 9);
        stream.write(frame);
        stream.flush();
    }

    private static void put(byte[] to, int at, int value) {
        to[at] = (byte) (value >>> 24);
        to[at + 1] = (byte) (value >>> 16);
        to[at + 2] = (byte) (value >>> 8);
        to[at + 3] = (byte) value;
    }
}
