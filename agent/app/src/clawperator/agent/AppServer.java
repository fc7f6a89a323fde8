package clawperator.agent;

import java.io.IOException;

/** Listens for the host on an abstract socket until it is ended. Each socket has a name and a token of its own. */
final class AppServer {
    /** How long it waits after a socket could not be made. */
    private static final long RETRY = 1000;
    /** It is the user who ends the app. */
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
                    // Nobody interrupts this thread.
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
                listen(next, StartLine.ready(name, token, hash));
                // A client's QUIT ends it, too; then the next client finds a new name and token.
                next.run();
                forget(null);
            } catch (IOException | RuntimeException e) {
                forget(Failure.describe(e));
                pause();
            }
        }
    }

    private synchronized void listen(Server next, String ready) {
        server = next;
        line = ready;
        problem = null;
        if (ended) next.end();
    }

    private synchronized void forget(String why) {
        server = null;
        line = null;
        problem = why;
    }

    private synchronized void pause() throws InterruptedException {
        long until = System.nanoTime() + RETRY * 1000000;
        long rest;
        while (!ended && (rest = (until - System.nanoTime()) / 1000000) > 0) wait(rest);
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

    /** The line with which the host connects, or null while nothing listens. */
    synchronized String line() {
        return line;
    }

    /** Why nothing listens, or null. */
    synchronized String problem() {
        return problem;
    }

    /** Whether a client is connected. */
    synchronized boolean isOccupied() {
        return server != null && server.isOccupied();
    }
}
