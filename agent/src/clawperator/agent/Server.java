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

/** Serves one client at a time; ends after a while without one, or on request. */
final class Server {
    /** How long a peer may take for its HELLO. */
    private static final int HELLO_WAIT = 5000;
    private static final int LONGEST_HELLO = 4096;
    private static final int MOST_PEERS = 16;
    private static final int MOST_FAILURES = 20;
    /** A client that follows another at once finds its place still taken for a moment. */
    private static final int PLACE_WAIT = 300;
    private static final int LINGER = 200;

    private final Transport transport;
    private final byte[] token;
    private final byte[] hash;
    private final long idle;
    private final Device device;
    private final Requests requests;
    /** Those of the client that listens: its observations leave the nodes of the other client valid. */
    private final Requests listenersRequests;
    private final Semaphore place = new Semaphore(1);
    private final Semaphore listenersPlace = new Semaphore(1);
    private final Semaphore peers = new Semaphore(MOST_PEERS);
    /** Connections that are open. */
    private final Set<Transport.Connection> open = new HashSet<Transport.Connection>();
    private int clients;
    private boolean ended;
    private long free = System.nanoTime();

    /** `hash` is the dex's, or empty; `idle` is in ms. */
    Server(Transport transport, byte[] token, byte[] hash, long idle, Device device) {
        this.transport = transport;
        this.token = token;
        this.hash = hash;
        this.idle = idle;
        this.device = device;
        requests = new Requests(device);
        listenersRequests = new Requests(device);
    }

    /** Serves until a client says QUIT, nobody comes for the idle time, or `end` is called; then no connection is open. */
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

    /** Counts a connection as open; false when the server ended. */
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
            long rest = clients != 0 ? Long.MAX_VALUE : idle - (System.nanoTime() - free) / 1000000;
            if (rest <= 0) {
                ended = true;
            } else {
                wait(Math.min(rest, 60000));
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
        free = System.nanoTime();
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
                // A peer that was gone again, or a lack of file descriptors that may pass.
                if (++failures < MOST_FAILURES && pause()) continue;
                end();
                return;
            }
            if (!peers.tryAcquire()) {
                close(connection);
                continue;
            }
            Thread thread = new Thread("reader") {
                @Override
                public void run() {
                    try {
                        if (add(connection)) meet(connection);
                    } catch (Throwable ignored) {
                        // A peer that failed to say hello, or left.
                    } finally {
                        remove(connection);
                        close(connection);
                        peers.release();
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

    private void meet(Transport.Connection connection) throws IOException, InterruptedException {
        if (!connection.isAllowed()) return;
        FrameReader reader = new FrameReader(connection.input());
        FrameWriter writer = new FrameWriter(connection.output());
        int id = 0;
        Greeting greeting;
        try {
            connection.limitReads(HELLO_WAIT);
            Frame hello = reader.read(LONGEST_HELLO);
            if (hello == null) return;
            id = hello.id;
            greeting = check(hello);
            if (!greeting.place.tryAcquire(PLACE_WAIT, TimeUnit.MILLISECONDS)) {
                throw new Failure(Protocol.CODE_BUSY, Protocol.NOT_DONE, "another client is connected");
            }
        } catch (Failure e) {
            writer.write(Protocol.ERROR, id, Session.errorBody(e));
            drain(connection);
            return;
        }
        count(1);
        boolean quit = false;
        boolean listens = greeting.place != place;
        Requests its = listens ? listenersRequests : requests;
        Session session = new Session(reader, writer, its, device, greeting.types, listens);
        try {
            connection.limitReads(0);
            welcome(writer, id);
            quit = session.serve(connection);
        } catch (Failure e) {
            writer.write(Protocol.ERROR, id, Session.errorBody(e));
        } finally {
            session.close();
            count(-1);
            greeting.place.release();
            if (quit) end();
        }
    }

    /** What a client wants to be. */
    private static final class Greeting {
        final Semaphore place;
        final int types;

        Greeting(Semaphore place, int types) {
            this.place = place;
            this.types = types;
        }
    }

    private Greeting check(Frame hello) throws Failure {
        boolean listens = hello.kind == Protocol.LISTEN;
        if (hello.kind != Protocol.HELLO && !listens) {
            throw new Failure(Protocol.CODE_TOKEN, Protocol.NOT_DONE, "the first frame is HELLO");
        }
        BodyReader body = new BodyReader(hello.body);
        if (!Arrays.equals(body.raw(8), Protocol.MAGIC.getBytes(Utf8.CHARSET))) {
            throw Failure.malformed("not a client of the agent");
        }
        long lowest = body.uint();
        long highest = body.uint();
        byte[] given = body.bytes();
        int types = listens ? (int) body.uint() & EventEncoder.TOLD : AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED;
        body.end();
        if (hello.id == 0) throw Failure.malformed("a request has an id above 0");
        if (!MessageDigest.isEqual(given, token)) {
            throw new Failure(Protocol.CODE_TOKEN, Protocol.NOT_DONE, "wrong token");
        }
        if (Long.compareUnsigned(lowest, Protocol.VERSION) > 0 || Long.compareUnsigned(highest, Protocol.VERSION) < 0) {
            throw new Failure(Protocol.CODE_VERSION, Protocol.NOT_DONE, Protocol.VERSION + "-" + Protocol.VERSION);
        }
        return new Greeting(listens ? listenersPlace : place, types);
    }

    private void welcome(FrameWriter writer, int id) throws IOException, Failure {
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

    /** Closing with unread bytes would take the answer back on some transports: reads on for a moment. */
    private static void drain(Transport.Connection connection) throws IOException {
        connection.shutdownOutput();
        connection.limitReads(LINGER);
        InputStream input = connection.input();
        byte[] waste = new byte[4096];
        int rest = 16;
        while (rest-- > 0 && input.read(waste) >= 0) continue;
    }

    static void close(Transport.Connection connection) {
        try {
            connection.close();
        } catch (IOException ignored) {
            // It is closed already.
        }
    }
}
