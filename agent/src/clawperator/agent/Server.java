package clawperator.agent;

import android.os.Build;
import android.os.Process;
import android.view.accessibility.AccessibilityEvent;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Serves one client and one listener at a time; ends when idle or on request. */
final class Server {
    /** Timeout for the HELLO of a peer. */
    private static final int HELLO_TIMEOUT_MS = 5000;
    private static final int MAX_HELLO_LENGTH = 4096;
    private static final int MAX_CONNECTIONS = 16;
    private static final int MAX_ACCEPT_FAILURES = 20;
    /** A previous client may take a moment to release its permit. */
    private static final int PERMIT_TIMEOUT_MS = 300;
    private static final int LINGER_MS = 200;

    private final Transport transport;
    private final byte[] token;
    private final byte[] hash;
    private final long idleMs;
    private final Device device;
    private final Requests requests;
    /** Requests of the listener; separate, so that its observations keep the nodes of the client valid. */
    private final Requests listenerRequests;
    private final Semaphore clientPermit = new Semaphore(1);
    private final Semaphore listenerPermit = new Semaphore(1);
    private final Semaphore connectionPermits = new Semaphore(MAX_CONNECTIONS);
    /** Open connections. */
    private final Set<Transport.Connection> open = new HashSet<Transport.Connection>();
    private int clients;
    private boolean ended;
    private long idleSince = System.nanoTime();

    /** `hash` is the hash of the dex, or empty. */
    Server(Transport transport, byte[] token, byte[] hash, long idleMs, Device device) {
        this.transport = transport;
        this.token = token;
        this.hash = hash;
        this.idleMs = idleMs;
        this.device = device;
        requests = new Requests(device);
        listenerRequests = new Requests(device);
    }

    /** Serves until a client sends QUIT, no client connects within the idle time, or `end` is called. Then closes all connections. */
    void run() throws InterruptedException {
        Thread acceptor = new Thread("acceptor") {
            @Override
            public void run() {
                acceptAll();
            }
        };
        acceptor.setDaemon(true);
        acceptor.start();
        waitForEnd();
        try {
            transport.close();
        } catch (IOException ignored) {
            // It is closed already.
        }
        for (Transport.Connection connection : takeOpen()) close(connection);
    }

    /** Registers an open connection; false if the server ended. */
    private synchronized boolean add(Transport.Connection connection) {
        return !ended && open.add(connection);
    }

    private synchronized void remove(Transport.Connection connection) {
        open.remove(connection);
    }

    private synchronized List<Transport.Connection> takeOpen() {
        List<Transport.Connection> all = new ArrayList<Transport.Connection>(open);
        open.clear();
        return all;
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    private synchronized void waitForEnd() throws InterruptedException {
        while (!ended) {
            long remaining = clients != 0 ? Long.MAX_VALUE : idleMs - (System.nanoTime() - idleSince) / 1000000;
            if (remaining <= 0) {
                ended = true;
            } else {
                wait(Math.min(remaining, 60000));
            }
        }
    }

    /** Whether a client is connected. */
    synchronized boolean isOccupied() {
        return clients != 0;
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    private synchronized void count(int more) {
        clients += more;
        idleSince = System.nanoTime();
        notifyAll();
    }

    private void acceptAll() {
        int failures = 0;
        while (!isEnded()) {
            final Transport.Connection connection;
            try {
                connection = transport.accept();
                failures = 0;
            } catch (IOException e) {
                // The peer has disconnected, or file descriptors are temporarily exhausted.
                if (++failures < MAX_ACCEPT_FAILURES && pause()) continue;
                end();
                return;
            }
            if (!connectionPermits.tryAcquire()) {
                close(connection);
                continue;
            }
            Thread thread = new Thread("reader") {
                @Override
                public void run() {
                    try {
                        if (add(connection)) serveConnection(connection);
                    } catch (Throwable ignored) {
                        // The handshake failed, or the peer disconnected.
                    } finally {
                        remove(connection);
                        close(connection);
                        connectionPermits.release();
                    }
                }
            };
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(50);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void serveConnection(Transport.Connection connection) throws IOException, InterruptedException {
        if (!connection.isAllowed()) return;
        FrameReader reader = new FrameReader(connection.input());
        FrameWriter writer = new FrameWriter(connection.output());
        int id = 0;
        ClientRole role;
        try {
            connection.setReadTimeout(HELLO_TIMEOUT_MS);
            Frame hello = reader.read(MAX_HELLO_LENGTH);
            if (hello == null) return;
            id = hello.id;
            role = parseHello(hello);
            if (!role.permit.tryAcquire(PERMIT_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                throw new Failure(Protocol.CODE_BUSY, Protocol.NOT_DONE, "another client is connected");
            }
        } catch (Failure e) {
            writer.write(Protocol.ERROR, id, Session.errorBody(e));
            drain(connection);
            return;
        }
        count(1);
        boolean quit = false;
        boolean isListener = role.permit != clientPermit;
        Requests roleRequests = isListener ? listenerRequests : requests;
        Session session = new Session(reader, writer, roleRequests, device, role.eventTypes, isListener);
        try {
            connection.setReadTimeout(0);
            sendHelloAnswer(writer, id);
            quit = session.serve(connection);
        } catch (Failure e) {
            writer.write(Protocol.ERROR, id, Session.errorBody(e));
        } finally {
            session.close();
            count(-1);
            role.permit.release();
            if (quit) end();
        }
    }

    /** The requested role and event types. */
    private static final class ClientRole {
        final Semaphore permit;
        final int eventTypes;

        ClientRole(Semaphore permit, int eventTypes) {
            this.permit = permit;
            this.eventTypes = eventTypes;
        }
    }

    private ClientRole parseHello(Frame hello) throws Failure {
        boolean isListener = hello.kind == Protocol.LISTEN;
        if (hello.kind != Protocol.HELLO && !isListener) {
            throw new Failure(Protocol.CODE_TOKEN, Protocol.NOT_DONE, "the first frame is HELLO");
        }
        BodyReader body = new BodyReader(hello.body);
        if (!Arrays.equals(body.raw(8), Protocol.MAGIC.getBytes(Utf8.CHARSET))) {
            throw Failure.malformed("not a client of the agent");
        }
        long lowest = body.uint();
        long highest = body.uint();
        byte[] given = body.bytes();
        int eventTypes = isListener ? (int) body.uint() & EventEncoder.SENT_TYPES : AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED;
        body.end();
        if (hello.id == 0) throw Failure.malformed("a request has an id above 0");
        if (!MessageDigest.isEqual(given, token)) {
            throw new Failure(Protocol.CODE_TOKEN, Protocol.NOT_DONE, "wrong token");
        }
        if (Long.compareUnsigned(lowest, Protocol.VERSION) > 0 || Long.compareUnsigned(highest, Protocol.VERSION) < 0) {
            throw new Failure(Protocol.CODE_VERSION, Protocol.NOT_DONE, Protocol.VERSION + "-" + Protocol.VERSION);
        }
        return new ClientRole(isListener ? listenerPermit : clientPermit, eventTypes);
    }

    private void sendHelloAnswer(FrameWriter writer, int id) throws IOException, Failure {
        BodyWriter body;
        try {
            DisplayFacts display = device.display(0);
            if (display == null) display = new DisplayFacts(0, 0, 0, 0);
            body = new BodyWriter().uint(Protocol.VERSION).uint(device.form()).bytes(hash).uint(Build.VERSION.SDK_INT)
                    .uint(Process.myPid()).uint(device.features());
            display.write(body);
        } catch (RuntimeException e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
        writer.write(Protocol.DONE, id, body);
    }

    /** Reads for a moment: on some transports, closing with unread bytes would discard the answer. */
    private static void drain(Transport.Connection connection) throws IOException {
        connection.shutdownOutput();
        connection.setReadTimeout(LINGER_MS);
        InputStream input = connection.input();
        byte[] discarded = new byte[4096];
        int reads = 16;
        while (reads-- > 0 && input.read(discarded) >= 0) continue;
    }

    static void close(Transport.Connection connection) {
        try {
            connection.close();
        } catch (IOException ignored) {
            // It is closed already.
        }
    }
}
