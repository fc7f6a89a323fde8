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

/** Gives input to the windows, as the system's input dispatcher does. Runs on the main thread. */
final class TouchPlayer {
    private static final Duration FRAME = Duration.ofMillis(16);
    private final FakeSystem system;
    private FakeSystem.Window touched;
    private Rect touchedBounds;
    private long lastTime;
    /** How long the finger is down by the waits of the sender, which do not include delays of a busy machine, in nanoseconds. */
    private long held;
    /** When it came down on the main looper's clock. */
    private long looperDown;
    /** What was injected: actions of touches, negative key codes. */
    final List<Integer> injected = Collections.synchronizedList(new ArrayList<Integer>());

    TouchPlayer(FakeSystem system) {
        this.system = system;
    }

    /** The injected input with coordinates and keys, for tests of the host. */
    final Journal journal = new Journal();

    /** Whether the system took the event, before which its sender waited for so many nanoseconds. */
    boolean play(InputEvent event, long waited) {
        return event instanceof MotionEvent ? touch((MotionEvent) event, waited) : key((KeyEvent) event);
    }

    private boolean touch(MotionEvent event, long waited) {
        int action = event.getActionMasked();
        injected.add(action);
        if (action == MotionEvent.ACTION_DOWN) {
            touched = system.under(event.getX(), event.getY());
            if (touched == null) return false;
            touchedBounds = system.bounds(touched);
            // Otherwise each frame of an animation advances the clock, and a tap becomes a long press.
            ShadowChoreographer.setFrameDelay(FRAME);
            ShadowChoreographer.setPaused(true);
            held = 0;
            looperDown = SystemClock.uptimeMillis();
        } else {
            held += waited;
        }
        note(action, event);
        boolean ends = action == MotionEvent.ACTION_UP || action == MotionEvent.ACTION_CANCEL;
        if (touched == null || touched.view() == null) {
            if (ends) ShadowChoreographer.setPaused(false);
            return true;
        }
        if (event.getEventTime() < lastTime) throw new IllegalStateException("time ran backwards");
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

    /** Advances the looper's clock, so that long presses fire on a slow machine, too. */
    private void catchUp() {
        long behind = TimeUnit.NANOSECONDS.toMillis(held) - (SystemClock.uptimeMillis() - looperDown);
        if (behind > 0) ShadowLooper.idleMainLooper(behind, TimeUnit.MILLISECONDS);
    }
}
