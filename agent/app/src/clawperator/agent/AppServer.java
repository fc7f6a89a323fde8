package clawperator.agent;

import java.io.IOException;

/** Listens for the host on an abstract socket until it is ended. Each socket has a new name and token. */
final class AppServer {
    /** Delay after a failure to create a socket. */
    private static final long RETRY_DELAY_MS = 1000;
    /** The app does not end when idle. */
    private static final long NO_IDLE = Long.MAX_VALUE;

    private final Device device;
    private final String apk;
    private Server server;
    private String line;
    private String problem;
    private boolean ended;

    AppServer(Device device, String apk) {
        this.device = device;
        this.apk = apk;
    }

    void start() {
        Thread thread = new Thread("server") {
            @Override
            public void run() {
                try {
                    serve();
                } catch (InterruptedException ignored) {
                    // The thread is never interrupted.
                }
            }
        };
        thread.setDaemon(true);
        thread.start();
    }

    private void serve() throws InterruptedException {
        byte[] hash = Bytes.sha256(apk);
        while (!isEnded()) {
            try {
                byte[] token = Bytes.random(32);
                String name = StartLine.newSocketName();
                Server next = new Server(new AbstractSocket(name), token, hash, NO_IDLE, device);
                setServer(next, StartLine.ready(name, token, hash));
                // QUIT ends it, too; the next client gets a new name and token.
                next.run();
                clearServer(null);
            } catch (IOException | RuntimeException e) {
                clearServer(Failure.describe(e));
                pause();
            }
        }
    }

    private synchronized void setServer(Server next, String ready) {
        server = next;
        line = ready;
        problem = null;
        if (ended) next.end();
    }

    private synchronized void clearServer(String reason) {
        server = null;
        line = null;
        problem = reason;
    }

    private synchronized void pause() throws InterruptedException {
        long until = System.nanoTime() + RETRY_DELAY_MS * 1000000;
        long remaining;
        while (!ended && (remaining = (until - System.nanoTime()) / 1000000) > 0) wait(remaining);
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    synchronized void end() {
        ended = true;
        if (server != null) server.end();
        line = null;
        notifyAll();
    }

    /** The line with the connection parameters, or null if no socket is listening. */
    synchronized String line() {
        return line;
    }

    /** Why no socket is listening, or null. */
    synchronized String problem() {
        return problem;
    }

    /** Whether a client is connected. */
    synchronized boolean isOccupied() {
        return server != null && server.isOccupied();
    }
}
