package clawperator.agent;

import java.io.IOException;
import java.util.ArrayDeque;

/** A client after the handshake: one thread reads, another executes the requests in order. */
final class Session {
    private static final int MAX_QUEUED = 1000;
    /** Timeout for the running request when the session ends; calls of the platform take at most 5 s. */
    private static final int SHUTDOWN_TIMEOUT_MS = 15000;
    private static final int LINGER_MS = 200;

    private final FrameReader reader;
    private final FrameWriter writer;
    private final Requests requests;
    private final Device device;
    private final ChangeNotifier notifier;
    private final boolean isListener;
    private final ArrayDeque<Request> queue = new ArrayDeque<Request>();
    private Request running;
    private boolean ended;
    private volatile boolean quit;

    /** A received request without an answer yet. */
    private static final class Request {
        final Frame frame;
        final long arrival = System.nanoTime();
        final CancellationToken cancellation = new CancellationToken();

        Request(Frame frame) {
            this.frame = frame;
        }
    }

    /** `eventTypes` are the types of the events to send. A listener may only send OBSERVE, PING and CANCEL. */
    Session(FrameReader reader, FrameWriter writer, Requests requests, Device device, int eventTypes, boolean isListener) {
        this.reader = reader;
        this.writer = writer;
        this.requests = requests;
        this.device = device;
        this.isListener = isListener;
        notifier = new ChangeNotifier(writer, eventTypes);
        // Events since the handshake are sent after its answer.
        device.listeners().add(notifier);
    }

    /** Unregisters the event listener; may be called without `serve`. */
    void close() {
        device.listeners().remove(notifier);
    }

    /** Serves the client until it disconnects; true if it sent QUIT. */
    boolean serve(final Transport.Connection connection) {
        notifier.start();
        Thread worker = new Thread(null, null, "worker", 4 << 20) {
            @Override
            public void run() {
                try {
                    executeRequests();
                } finally {
                    closeGracefully(connection);
                }
            }
        };
        worker.setDaemon(true);
        worker.start();
        try {
            readFrames();
        } catch (IOException ignored) {
            // The client disconnected.
        } catch (Failure e) {
            sendError(0, e);
        }
        end();
        close();
        try {
            worker.join(SHUTDOWN_TIMEOUT_MS);
        } catch (InterruptedException ignored) {
            // The thread is never interrupted.
        }
        return quit;
    }

    /** Closes the connection, which wakes the reader. Waits a moment, so that the client can read the last answer. */
    private void closeGracefully(Transport.Connection connection) {
        try {
            connection.shutdownOutput();
            synchronized (this) {
                if (!ended) wait(LINGER_MS);
            }
        } catch (IOException ignored) {
            // The client disconnected.
        } catch (InterruptedException ignored) {
            // The thread is never interrupted.
        }
        Server.close(connection);
    }

    private void readFrames() throws IOException, Failure {
        Frame frame;
        while ((frame = reader.read(Protocol.MAX_FRAME_LENGTH)) != null) {
            try {
                if (frame.id == 0) throw Failure.malformed("a request has an id above 0");
                if (frame.kind == Protocol.PING) {
                    ping(frame);
                } else if (frame.kind == Protocol.CANCEL) {
                    cancel(frame);
                } else if (isListener && frame.kind != Protocol.OBSERVE) {
                    throw Failure.malformed("this client only listens and observes");
                } else {
                    enqueue(new Request(frame));
                }
            } catch (Failure e) {
                sendError(frame.id, e);
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
            if (running != null && (running.frame.id & 0xffffffffL) == id) running.cancellation.cancel();
            for (Request request : queue) {
                if ((request.frame.id & 0xffffffffL) == id) request.cancellation.cancel();
            }
        }
        writer.write(Protocol.DONE, frame.id, new BodyWriter());
    }

    private synchronized void enqueue(Request request) throws Failure {
        if (queue.size() >= MAX_QUEUED) throw Failure.malformed("more than " + MAX_QUEUED + " requests are queued");
        queue.add(request);
        notifyAll();
    }

    /** Cancels all requests; a running touch lifts its fingers. */
    private synchronized void end() {
        ended = true;
        queue.clear();
        if (running != null) running.cancellation.cancel();
        notifier.end();
        notifyAll();
    }

    private synchronized Request next() throws InterruptedException {
        running = null;
        while (queue.isEmpty() && !ended) wait();
        if (ended) return null;
        running = queue.remove();
        return running;
    }

    private void executeRequests() {
        try {
            Request request;
            while (!quit && (request = next()) != null) answer(request);
        } catch (InterruptedException ignored) {
            // The thread is never interrupted.
        } catch (IOException ignored) {
            // The client disconnected; the reader notices it, too.
        }
    }

    private void answer(Request request) throws IOException {
        int id = request.frame.id;
        try {
            BodyReader body = new BodyReader(request.frame.body);
            long limitMs = body.uint();
            if (request.cancellation.isCancelled() || isExpired(request, limitMs)) {
                throw new Failure(Protocol.CODE_CANCELLED, Protocol.NOT_DONE, "cancelled before it began");
            }
            if (request.frame.kind == Protocol.QUIT) {
                body.end();
                writer.write(Protocol.DONE, id, new BodyWriter());
                quit = true;
                return;
            }
            BodyWriter answer = requests.run(request.frame.kind, body, request.cancellation, notifier);
            writer.write(Protocol.DONE, id, answer);
        } catch (Failure e) {
            writer.write(Protocol.ERROR, id, errorBody(e));
        } catch (OutOfMemoryError e) {
            writer.write(Protocol.ERROR, id, errorBody(Failure.of(e, Protocol.UNKNOWN)));
        } finally {
            if (request.frame.kind == Protocol.OBSERVE) notifier.answered();
        }
    }

    private static boolean isExpired(Request request, long limitMs) {
        return limitMs != 0 && Long.compareUnsigned((System.nanoTime() - request.arrival) / 1000000, limitMs) >= 0;
    }

    private void sendError(int id, Failure failure) {
        try {
            writer.write(Protocol.ERROR, id, errorBody(failure));
        } catch (IOException ignored) {
            // The client disconnected.
        }
    }

    static BodyWriter errorBody(Failure failure) {
        String message = failure.getMessage();
        return new BodyWriter().uint(failure.code).uint(failure.dispatch).text(message == null ? "" : message);
    }
}
