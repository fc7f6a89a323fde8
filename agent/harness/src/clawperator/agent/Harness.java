package clawperator.agent;

import android.app.Activity;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.content.Intent;
import android.os.Looper;
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
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowPausedLooper;

/** Runs an app with widgets, FakeSystem and a server in one process. The thread of the caller is the main thread of Android. */
abstract class Harness implements AutoCloseable {
    /** Wall-clock timeout. Timeouts of the framework do not work, because its clock stops while the harness does not advance it. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** The package of the screens. */
    static final String SCREENS = "harness";

    private final ExecutorService others = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "harness");
        thread.setDaemon(true);
        return thread;
    });
    private final ShadowPausedLooper mainLooper = Shadow.extract(Looper.getMainLooper());
    private long clock = System.nanoTime();
    final FakeSystem system = new FakeSystem();
    /** Dispatches injected input. */
    final TouchPlayer player = new TouchPlayer(system);
    ActivityController<Screens> controller;
    Screens app;
    /** Other running apps by package. */
    private final Map<String, ActivityController<? extends Activity>> apps = new HashMap<>();

    Harness() {
        system.player = player;
    }

    /** Shows the first screen of the app; FakeSystem must be installed. */
    final void showApp() {
        controller = Robolectric.buildActivity(Screens.class).setup();
        app = controller.get();
    }

    /** Brings an app to the foreground and starts it if necessary: `Screens`, the conformance app, an app of a scenario, or an empty app. */
    void bringToFront(String name) throws Exception {
        setShown(controller, name.equals(SCREENS));
        for (Map.Entry<String, ActivityController<? extends Activity>> each : apps.entrySet()) {
            setShown(each.getValue(), each.getKey().equals(name));
        }
        system.front = name;
        if (!name.equals(SCREENS) && !apps.containsKey(name)) {
            ConformanceApp.journal = player.journal;
            Class<? extends Activity> kind = name.equals(ConformanceApp.PACKAGE) ? ConformanceApp.class
                    : name.startsWith(ScenarioApp.PREFIX) ? ScenarioApp.class : EmptyActivity.class;
            Intent intent = new Intent().putExtra(ScenarioApp.NAME, name);
            ActivityController<? extends Activity> started = Robolectric.buildActivity(kind, intent);
            apps.put(name, started);
            started.setup();
        }
        system.sendWindowsChanged();
        pumpFor(50);
    }

    /** Ends an app if it is running. */
    void stop(String name) throws Exception {
        ActivityController<? extends Activity> stopped = apps.remove(name);
        if (stopped == null) return;
        setShown(stopped, false);
        stopped.pause().stop().destroy();
    }

    /** Ends all apps except `Screens`, and clears the journal. */
    void clear() throws Exception {
        for (String name : new ArrayList<>(apps.keySet())) stop(name);
        player.journal.clear();
    }

    private static void setShown(ActivityController<? extends Activity> app, boolean shown) {
        app.get().getWindow().getDecorView().setVisibility(shown ? View.VISIBLE : View.INVISIBLE);
    }

    /** The loopback port for clients. */
    abstract int port();

    /** Whether clients can connect. */
    abstract boolean isServing();

    /** The token of the running server. */
    abstract byte[] token() throws Exception;

    /**
     * Runs pending tasks of the main thread. Waits up to a millisecond for the next one. The clock of the framework
     * follows the wall clock, by at most 20 ms per call.
     */
    void pump() {
        long now = System.nanoTime();
        long passed = TimeUnit.NANOSECONDS.toMillis(now - clock);
        clock += TimeUnit.MILLISECONDS.toNanos(passed);
        ShadowLooper.idleMainLooper(Math.min(passed, 20), TimeUnit.MILLISECONDS);
        mainLooper.poll(1);
    }

    /** Runs a call on another thread while this one pumps. */
    <T> T callWhilePumping(Callable<T> call) throws Exception {
        Future<T> result = others.submit(call);
        until(result::isDone);
        return result.get();
    }

    void until(BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + TIMEOUT_NANOS;
        while (!condition.getAsBoolean()) {
            pump();
            if (System.nanoTime() > end) throw new IllegalStateException("the condition is not met after 30 s");
        }
    }

    /** Pumps until the clock of the framework has advanced; on a busy machine it lags behind the wall clock. */
    void pumpFor(long millis) throws Exception {
        long end = SystemClock.uptimeMillis() + millis;
        while (SystemClock.uptimeMillis() < end) pump();
    }

    void show(String screen) throws Exception {
        app.show(screen);
        pumpFor(50);
    }

    /** Rotates the phone to landscape; Android recreates the activity. */
    void rotate(String screen) throws Exception {
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
