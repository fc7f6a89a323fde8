package clawperator.agent;

import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadows.ShadowLooper;

/** An app with widgets and the stand-in for the system, in one process with a server. The caller's thread is Android's main thread. */
abstract class Bench implements AutoCloseable {
    /** What a call may take in wall time; the framework's own limits never pass, because its clock is the bench's. */
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(30);

    private final ExecutorService others = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "bench");
        thread.setDaemon(true);
        return thread;
    });
    private long clock = System.nanoTime();
    final FakeSystem system = new FakeSystem();
    /** Plays the input that the system takes. */
    final TouchPlayer player = new TouchPlayer(system);
    ActivityController<Screens> controller;
    Screens app;

    Bench() {
        system.player = player;
    }

    /** Shows the app's first screen; the system is in place then. */
    final void showApp() {
        controller = Robolectric.buildActivity(Screens.class).setup();
        app = controller.get();
    }

    /** Where clients connect on the loopback interface. */
    abstract int port();

    /** Whether clients are let in. */
    abstract boolean isServing();

    /** The token of the server that runs. */
    abstract byte[] token() throws Exception;

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

    void show(String screen) throws Exception {
        app.show(screen);
        pumpFor(50);
    }

    /** Turns the phone to the side; Android makes the app's screen anew. */
    void turn(String screen) throws Exception {
        RuntimeEnvironment.setQualifiers("+land");
        controller.recreate();
        app = controller.get();
        show(screen);
    }

    /** Runs on the main thread. */
    void setClipboardNow(String text) {
        clipboard().setPrimaryClip(ClipData.newPlainText("", text));
    }

    /** Runs on the main thread. */
    String clipboardNow() {
        ClipData clip = clipboard().getPrimaryClip();
        if (clip == null || clip.getItemCount() == 0 || clip.getItemAt(0).getText() == null) return "";
        return clip.getItemAt(0).getText().toString();
    }

    private static ClipboardManager clipboard() {
        return (ClipboardManager) RuntimeEnvironment.getApplication().getSystemService(Context.CLIPBOARD_SERVICE);
    }

    @Override
    public void close() throws Exception {
        controller.pause().stop().destroy();
        others.shutdownNow();
    }
}
