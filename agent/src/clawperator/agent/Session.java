package clawperator.agent;

import java.io.IOException;
import java.util.ArrayDeque;

/** One client after the handshake: a thread reads, another runs the requests in order. */
final class Session {
    private static final int MOST_WAITING = 1000;
    /** How long an ended session may take to leave a request; the platform's calls end within 5 s. */
    private static final int SHUTDOWN_TIMEOUT_MS = 15000;
    private static final int LINGER = 200;

    private final FrameReader reader;
    private final FrameWriter writer;
    private final Requests requests;
    private final Device device;
    private final Changes changes;
    private final boolean listens;
    private final ArrayDeque<Request> waiting = new ArrayDeque<Request>();
    private Request running;
    private boolean ended;
    private volatile boolean quit;

    /** A request that came and was not answered yet. */
    private static final class Request {
        final Frame frame;
        final long arrival = System.nanoTime();
        final Cancel cancel = new Cancel();

        Request(Frame frame) {
            this.frame = frame;
        }
    }

    /** `types` are those of the events whose content the client gets. A client that `listens` sends no request that changes the phone. */
    Session(FrameReader reader, FrameWriter writer, Requests requests, Device device, int types, boolean listens) {
        this.reader = reader;
        this.writer = writer;
        this.requests = requests;
        this.device = device;
        this.listens = listens;
        changes = new Changes(writer, types);
        // Events since the handshake are sent after its answer.
        device.listeners().add(changes);
    }

    /** Ends what the constructor began; `serve` may have been called or not. */
    void close() {
        device.listeners().remove(changes);
    }

    /** Serves the client until it leaves; true when it asked the agent to end. */
    boolean serve(final Transport.Connection connection) {
        changes.start();
        Thread worker = new Thread(null, null, "worker", 4 << 20) {
            @Override
            public void run() {
                try {
                    work();
                } finally {
                    leave(connection);
                }
            }
        };
        worker.setDaemon(true);
        worker.start();
        try {
            read();
        } catch (IOException ignored) {
            // The client left.
        } catch (Failure e) {
            refuse(0, e);
        }
        end();
        close();
        try {
            worker.join(SHUTDOWN_TIMEOUT_MS);
        } catch (InterruptedException ignored) {
            // Nobody interrupts this thread.
        }
        return quit;
    }

    /** Closes the connection, which wakes the reader. The client gets a moment to read what it was sent. */
    private void leave(Transport.Connection connection) {
        try {
            connection.shutdownOutput();
            synchronized (this) {
                if (!ended) wait(LINGER);
            }
        } catch (IOException ignored) {
            // The client left.
        } catch (InterruptedException ignored) {
            // Nobody interrupts this thread.
        }
        Server.close(connection);
    }

    private void read() throws IOException, Failure {
        Frame frame;
        while ((frame = reader.read(Protocol.LONGEST_FRAME)) != null) {
            try {
                if (frame.id == 0) throw Failure.malformed("a request has an id above 0");
                if (frame.kind == Protocol.PING) {
                    ping(frame);
                } else if (frame.kind == Protocol.CANCEL) {
                    cancel(frame);
                } else if (listens && frame.kind != Protocol.OBSERVE) {
                    throw Failure.malformed("this client only listens and observes");
                } else {
                    enqueue(new Request(frame));
                }
            } catch (Failure e) {
                refuse(frame.id, e);
            }
        }
    }

    private void ping(Frame frame) throws IOException, Failure {
        BodyReader body = new BodyReader(frame.body);
        body.uint();
        body.end();
        writer.write(Protocol.DONE, frame.id, new BodyWriter().uint(requests.revision()));
    }

    private void cancel(Frame frame) throws IOException, Failure {
        BodyReader body = new BodyReader(frame.body);
        long id = body.uint();
        body.end();
        synchronized (this) {
            if (running != null && (running.frame.id & 0xffffffffL) == id) running.cancel.cancel();
            for (Request request : waiting) {
                if ((request.frame.id & 0xffffffffL) == id) request.cancel.cancel();
            }
        }
        writer.write(Protocol.DONE, frame.id, new BodyWriter());
    }

    private synchronized void enqueue(Request request) throws Failure {
        if (waiting.size() >= MOST_WAITING) throw Failure.malformed("more than " + MOST_WAITING + " requests wait");
        waiting.add(request);
        notifyAll();
    }

    /** Cancels everything; a finger that is down is lifted. */
    private synchronized void end() {
        ended = true;
        waiting.clear();
        if (running != null) running.cancel.cancel();
        changes.end();
        notifyAll();
    }

    private synchronized Request next() throws InterruptedException {
        running = null;
        while (waiting.isEmpty() && !ended) wait();
        if (ended) return null;
        running = waiting.remove();
        return running;
    }

    private void work() {
        try {
            Request request;
            while (!quit && (request = next()) != null) answer(request);
        } catch (InterruptedException ignored) {
            // Nobody interrupts this thread.
        } catch (IOException ignored) {
            // The client left; the reader finds it, too.
        }
    }

    private void answer(Request request) throws IOException {
        int id = request.frame.id;
        try {
            BodyReader body = new BodyReader(request.frame.body);
            long limit = body.uint();
            if (request.cancel.isCancelled() || isPassed(request, limit)) {
                throw new Failure(Protocol.CODE_CANCELLED, Protocol.NOT_DONE, "cancelled before it began");
            }
            if (request.frame.kind == Protocol.QUIT) {
                body.end();
                writer.write(Protocol.DONE, id, new BodyWriter());
                quit = true;
                return;
            }
            BodyWriter answer = requests.run(request.frame.kind, body, request.cancel, changes);
            writer.write(Protocol.DONE, id, answer);
        } catch (Failure e) {
            writer.write(Protocol.ERROR, id, errorBody(e));
        } catch (OutOfMemoryError e) {
            writer.write(Protocol.ERROR, id, errorBody(Failure.of(e, Protocol.UNKNOWN)));
        } finally {
            if (request.frame.kind == Protocol.OBSERVE) changes.answered();
        }
    }

    private static boolean isPassed(Request request, long limit) {
        return limit != 0 && Long.compareUnsigned((System.nanoTime() - request.arrival) / 1000000, limit) >= 0;
    }

    private void refuse(int id, Failure failure) {
        try {
            writer.write(Protocol.ERROR, id, errorBody(failure));
        } catch (IOException ignored) {
            // The client left.
        }
    }

    static BodyWriter errorBody(Failure failure) {
        String message = failure.getMessage();
        return new BodyWriter().uint(failure.code).uint(failure.dispatch).text(message == null ? "" : message);
    }
}
