package clawperator.agent;

import android.os.HandlerThread;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.robolectric.Robolectric;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadows.ShadowLooper;

/** The app, the stand-in for the system, and the shipped server, in one process. The caller's thread is Android's main thread. */
final class Bench implements AutoCloseable {
    /** What a call may take in wall time; the framework's own limits never pass, because its clock is the bench's. */
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(30);

    private final ExecutorService others = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "bench");
        thread.setDaemon(true);
        return thread;
    });
    private long clock = System.nanoTime();
    final FakeSystem system = new FakeSystem();
    final BenchDevice device;
    final TcpTransport transport;
    final Server server;
    final byte[] token;
    final ActivityController<Screens> controller;
    final Screens app;
    final Thread serving;

    Bench(int port, byte[] token, long idle) throws Exception {
        this.token = token;
        system.install();
        HandlerThread events = new HandlerThread("events");
        events.start();
        device = new BenchDevice(system, events.getLooper());
        away(() -> {
            device.open();
            return null;
        });
        controller = Robolectric.buildActivity(Screens.class).setup();
        app = controller.get();
        transport = new TcpTransport(port);
        server = new Server(transport, token, new byte[0], idle, device);
        serving = new Thread("server") {
            @Override
            public void run() {
                try {
                    server.run();
                } catch (InterruptedException ignored) {
                    // Nobody interrupts it.
                }
            }
        };
        serving.setDaemon(true);
        serving.start();
    }

    /** Runs what is due on the main thread. The framework's clock follows the wall's, without leaps when the machine is busy. */
    void pump() throws InterruptedException {
        long now = System.nanoTime();
        long passed = TimeUnit.NANOSECONDS.toMillis(now - clock);
        clock += TimeUnit.MILLISECONDS.toNanos(passed);
        ShadowLooper.idleMainLooper(Math.min(passed, 20), TimeUnit.MILLISECONDS);
        Thread.sleep(1);
    }

    /** Runs a call on another thread while this one pumps. */
    <T> T away(Callable<T> call) throws Exception {
        Future<T> result = others.submit(call);
        until(result::isDone);
        return result.get();
    }

    void until(BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + LIMIT;
        while (!condition.getAsBoolean()) {
            pump();
            if (System.nanoTime() > end) throw new IllegalStateException("it did not happen in 30 s");
        }
    }

    void pumpFor(long millis) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) pump();
    }

    /** What the system does when it ends the agent's service, for instance when the user is switched. */
    void disconnect() throws Exception {
        system.disconnect();
        until(() -> !system.isConnected());
    }

    void show(String screen) throws Exception {
        app.show(screen);
        pumpFor(50);
    }

    @Override
    public void close() throws Exception {
        server.end();
        until(() -> !serving.isAlive());
        transport.close();
        device.close();
        controller.pause().stop().destroy();
        others.shutdownNow();
    }
}
