package clawperator.agent;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A client of the protocol. It reads replies on a background thread while the caller pumps the main looper. */
final class TestClient implements AutoCloseable {
    private static final String[] DISPATCH_NAMES = {"NOT_DONE", "DONE_PARTLY", "UNKNOWN"};

    /** An answer or a message. */
    static final class Reply {
        final Frame frame;
        final long arrival = System.nanoTime();

        Reply(Frame frame) {
            this.frame = frame;
        }

        boolean isDone() {
            return frame.kind == Protocol.DONE;
        }

        BodyReader body() {
            return new BodyReader(frame.body);
        }

        /** Name of the code and of the dispatch of an error, as `REFUSED/NOT_DONE`. */
        String error() throws Failure {
            if (frame.kind != Protocol.ERROR) return "kind " + frame.kind;
            BodyReader body = body();
            String text = Protocol.CODE_NAMES.split(" ")[(int) body.uint()] + "/" + DISPATCH_NAMES[(int) body.uint()];
            body.text();
            body.end();
            return text;
        }

        String message() throws Failure {
            BodyReader body = body();
            body.uint();
            body.uint();
            return body.text();
        }
    }

    private static final int MAX_ATTEMPTS = 100;

    private final Harness harness;
    private final Socket socket;
    private final List<Reply> replies = new ArrayList<>();
    private final AtomicInteger ids = new AtomicInteger();
    private boolean ended;
    /** The last observation with a content. */
    private Observation last;

    TestClient(Harness harness) throws IOException {
        this.harness = harness;
        socket = new Socket("127.0.0.1", harness.port());
        socket.setTcpNoDelay(true);
        Thread reader = new Thread(() -> read(), "client");
        reader.setDaemon(true);
        reader.start();
    }

    /** A client after the handshake. */
    static TestClient connected(Harness harness) throws Exception {
        TestClient client = new TestClient(harness);
        Reply reply = client.call(Protocol.HELLO, hello(harness.token(), 1, Protocol.VERSION));
        if (!reply.isDone()) throw new IllegalStateException(reply.error());
        return client;
    }

    /** A client after the handshake; retries until the server has noticed the end of earlier connections. */
    static TestClient connectedAfterOthers(Harness harness) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                return connected(harness);
            } catch (IOException | IllegalStateException e) {
                if (attempt == MAX_ATTEMPTS) throw e;
                harness.pumpFor(50);
            }
        }
    }

    static BodyWriter hello(byte[] token, int lowest, int highest) {
        byte[] magic = Protocol.MAGIC.getBytes(Utf8.CHARSET);
        return new BodyWriter().raw(magic, 0, magic.length).uint(lowest).uint(highest).bytes(token);
    }

    private void read() {
        try {
            FrameReader reader = new FrameReader(new DataInputStream(socket.getInputStream()));
            Frame frame;
            while ((frame = reader.read(Protocol.MAX_FRAME_LENGTH)) != null) {
                synchronized (this) {
                    replies.add(new Reply(frame));
                }
            }
        } catch (IOException | Failure e) {
            // The connection was closed.
        }
        synchronized (this) {
            ended = true;
        }
    }

    int send(int kind, BodyWriter body) throws IOException {
        int id = ids.incrementAndGet();
        new FrameWriter(socket.getOutputStream()).write(kind, id, body);
        return id;
    }

    void sendRaw(byte[] bytes, int from, int length) throws IOException {
        OutputStream output = socket.getOutputStream();
        output.write(bytes, from, length);
        output.flush();
    }

    /** The answer to a request, or null if it has not arrived. */
    synchronized Reply find(int id) {
        for (Reply reply : replies) {
            if (reply.frame.id == id && reply.frame.kind != Protocol.MESSAGE) return reply;
        }
        return null;
    }

    synchronized int messages() {
        int count = 0;
        for (Reply reply : replies) {
            if (reply.frame.kind == Protocol.MESSAGE) count++;
        }
        return count;
    }

    synchronized List<Frame> messageFrames() {
        List<Frame> frames = new ArrayList<>();
        for (Reply reply : replies) {
            if (reply.frame.kind == Protocol.MESSAGE) frames.add(reply.frame);
        }
        return frames;
    }

    synchronized Reply lastMessage() {
        for (int i = replies.size() - 1; i >= 0; i--) {
            if (replies.get(i).frame.kind == Protocol.MESSAGE) return replies.get(i);
        }
        return null;
    }

    synchronized boolean isEnded() {
        return ended;
    }

    Reply wait(int id) throws Exception {
        harness.until(() -> find(id) != null || isEnded());
        Reply reply = find(id);
        if (reply == null) throw new EOFException("the connection ended");
        return reply;
    }

    Reply call(int kind, BodyWriter body) throws Exception {
        return wait(send(kind, body));
    }

    Reply act(long revision, int node, int action, String argument) throws Exception {
        return call(Protocol.ACT, new BodyWriter().uint(0).uint(revision).uint(node).uint(action).text(argument));
    }

    /** Acts on the node with this text. */
    Reply act(Observation observation, String text, int action, String argument) throws Exception {
        return act(observation.revision, observation.find(text), action, argument);
    }

    /** A touch with one path per pointer; a path alternates x and y. */
    static BodyWriter touch(int duration, int[]... paths) {
        return touch(0, duration, 0, paths);
    }

    static BodyWriter touch(int hold, int duration, int rest, int[]... paths) {
        BodyWriter body = new BodyWriter().uint(0).uint(0).uint(hold).uint(duration).uint(rest).uint(paths.length);
        for (int[] path : paths) {
            body.uint(path.length / 2);
            for (int value : path) body.integer(value);
        }
        return body;
    }

    Observation observe() throws Exception {
        return observe(0);
    }

    Observation observe(long known) throws Exception {
        Reply reply = call(Protocol.OBSERVE, new BodyWriter().uint(0).uint(0).uint(known));
        if (!reply.isDone()) throw new IllegalStateException(reply.error() + " " + reply.message());
        Observation observation = Observation.decode(reply.frame.body, last);
        if (!observation.unchanged) last = observation;
        return observation;
    }

    /** Observes until a text appears. */
    Observation observeUntil(String text) throws Exception {
        long end = System.nanoTime() + 20_000_000_000L;
        while (true) {
            Observation observation = observe();
            if (observation.find(text) >= 0) return observation;
            if (System.nanoTime() > end) throw new IllegalStateException("no " + text + " in " + observation.texts());
            harness.pumpFor(20);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
