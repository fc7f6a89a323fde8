package clawperator.agent;

import android.app.Activity;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.os.SystemClock;
import android.view.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
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
abstract class Harness implements AutoCloseable {
    /** Wall-clock limit of a call. The framework's own timeouts do not help: its clock stands still unless the harness advances it. */
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(30);

    /** The package of the screens. */
    static final String SCREENS = "harness";

    private final ExecutorService others = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "harness");
        thread.setDaemon(true);
        return thread;
    });
    private long clock = System.nanoTime();
    final FakeSystem system = new FakeSystem();
    /** Plays the input that the system takes. */
    final TouchPlayer player = new TouchPlayer(system);
    ActivityController<Screens> controller;
    Screens app;
    /** The other apps that run, by package. */
    private final Map<String, ActivityController<? extends Activity>> apps = new HashMap<>();

    Harness() {
        system.player = player;
    }

    /** Shows the app's first screen; the system is in place then. */
    final void showApp() {
        controller = Robolectric.buildActivity(Screens.class).setup();
        app = controller.get();
    }

    /** Brings an app to the front, as the system does when it is opened: the screens, the conformance suite's, or an empty one. */
    void bringToFront(String name) throws Exception {
        setShown(controller, name.equals(SCREENS));
        for (Map.Entry<String, ActivityController<? extends Activity>> each : apps.entrySet()) {
            setShown(each.getValue(), each.getKey().equals(name));
        }
        system.front = name;
        if (!name.equals(SCREENS) && !apps.containsKey(name)) {
            Conform.journal = player.journal;
            Class<? extends Activity> kind = name.equals(Conform.PACKAGE) ? Conform.class : EmptyActivity.class;
            ActivityController<? extends Activity> started = Robolectric.buildActivity(kind);
            apps.put(name, started);
            started.setup();
        }
        system.sendWindowsChanged();
        pumpFor(50);
    }

    /** Ends an app, if it runs. */
    void stop(String name) throws Exception {
        ActivityController<? extends Activity> stopped = apps.remove(name);
        if (stopped == null) return;
        setShown(stopped, false);
        stopped.pause().stop().destroy();
    }

    /** Ends all apps but the harness's screens, and forgets what happened. */
    void clear() throws Exception {
        for (String name : new ArrayList<>(apps.keySet())) stop(name);
        player.journal.clear();
    }

    private static void setShown(ActivityController<? extends Activity> app, boolean shown) {
        app.get().getWindow().getDecorView().setVisibility(shown ? View.VISIBLE : View.INVISIBLE);
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
    <T> T callWhilePumping(Callable<T> call) throws Exception {
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

    /** Pumps until the framework's clock has gone on so far; on a busy machine it lags behind the wall's. */
    void pumpFor(long millis) throws Exception {
        long end = SystemClock.uptimeMillis() + millis;
        while (SystemClock.uptimeMillis() < end) pump();
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
        clear();
        controller.pause().stop().destroy();
        others.shutdownNow();
    }
}
