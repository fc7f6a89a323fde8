package clawperator.agent;

import android.graphics.Rect;
import android.os.SystemClock;
import android.view.InputEvent;
import android.view.KeyEvent;
import android.view.MotionEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowLooper;

/** Dispatches input to the windows, like the input dispatcher of the system. Runs on the main thread. */
final class TouchPlayer {
    private static final Duration FRAME = Duration.ofMillis(16);
    private final FakeSystem system;
    private FakeSystem.Window touched;
    private Rect touchedBounds;
    private long lastTime;
    /** How long the finger is down by the waits of the sender, without delays of a busy machine. */
    private long heldNanos;
    /** Time of the down event on the clock of the main looper. */
    private long looperDown;
    /** Injected input: actions of touches and negative key codes. */
    final List<Integer> injected = Collections.synchronizedList(new ArrayList<Integer>());

    TouchPlayer(FakeSystem system) {
        this.system = system;
    }

    /** The injected input with coordinates and keys, for tests of the host. */
    final Journal journal = new Journal();

    /** Dispatches an event, before which its sender waited; false if the system rejects it. */
    boolean play(InputEvent event, long waitedNanos) {
        return event instanceof MotionEvent ? touch((MotionEvent) event, waitedNanos) : key((KeyEvent) event);
    }

    private boolean touch(MotionEvent event, long waitedNanos) {
        int action = event.getActionMasked();
        injected.add(action);
        if (action == MotionEvent.ACTION_DOWN) {
            touched = system.windowAt(event.getX(), event.getY());
            if (touched == null) return false;
            touchedBounds = system.bounds(touched);
            // Otherwise each frame of an animation advances the clock, and a tap becomes a long press.
            ShadowChoreographer.setFrameDelay(FRAME);
            ShadowChoreographer.setPaused(true);
            heldNanos = 0;
            looperDown = SystemClock.uptimeMillis();
        } else {
            heldNanos += waitedNanos;
        }
        note(action, event);
        boolean ends = action == MotionEvent.ACTION_UP || action == MotionEvent.ACTION_CANCEL;
        if (touched == null || touched.view() == null) {
            if (ends) ShadowChoreographer.setPaused(false);
            return true;
        }
        if (event.getEventTime() < lastTime) throw new IllegalStateException("the event time decreased");
        lastTime = event.getEventTime();
        catchUp();
        MotionEvent moved = MotionEvent.obtain(event);
        moved.offsetLocation(-touchedBounds.left, -touchedBounds.top);
        touched.view().dispatchTouchEvent(moved);
        moved.recycle();
        if (ends) ShadowChoreographer.setPaused(false);
        return true;
    }

    private boolean key(KeyEvent event) {
        injected.add(-event.getKeyCode());
        if (event.getAction() == KeyEvent.ACTION_DOWN) journal.add("key", "\"code\":" + event.getKeyCode());
        switch (event.getKeyCode()) {
            case KeyEvent.KEYCODE_POWER:
                if (event.getAction() == KeyEvent.ACTION_DOWN) journal.add("power", null);
                return true;
            case KeyEvent.KEYCODE_HOME:
            case KeyEvent.KEYCODE_APP_SWITCH:
            case KeyEvent.KEYCODE_VOLUME_UP:
            case KeyEvent.KEYCODE_VOLUME_DOWN:
                // The system handles them and passes them to no window.
                return true;
            default:
                break;
        }
        FakeSystem.Window window = system.active();
        if (window == null) return false;
        window.view().dispatchKeyEvent(event);
        return true;
    }

    private void note(int action, MotionEvent event) {
        String at = "\"at\":[" + Math.round(event.getX()) + "," + Math.round(event.getY()) + "]";
        if (action == MotionEvent.ACTION_DOWN) journal.add("touch_down", at);
        if (action == MotionEvent.ACTION_UP) journal.add("touch_up", at);
        if (action == MotionEvent.ACTION_CANCEL) journal.add("touch_cancel", at);
    }

    /** Advances the clock of the looper, so that long presses are also detected on a slow machine. */
    private void catchUp() {
        long behind = TimeUnit.NANOSECONDS.toMillis(heldNanos) - (SystemClock.uptimeMillis() - looperDown);
        if (behind > 0) ShadowLooper.idleMainLooper(behind, TimeUnit.MILLISECONDS);
    }
}
