package clawperator.agent;

import android.graphics.Rect;
import android.view.InputEvent;
import android.view.KeyEvent;
import android.view.MotionEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Gives input to the windows, as the system's input dispatcher does. Runs on the main thread. */
final class TouchPlayer {
    private final FakeSystem system;
    private FakeSystem.Window touched;
    private Rect touchedBounds;
    private long lastTime;
    /** What was injected: actions of touches, negative key codes. */
    final List<Integer> injected = Collections.synchronizedList(new ArrayList<Integer>());

    TouchPlayer(FakeSystem system) {
        this.system = system;
    }

    /** Whether the system took the event. */
    boolean play(InputEvent event) {
        return event instanceof MotionEvent ? touch((MotionEvent) event) : key((KeyEvent) event);
    }

    private boolean touch(MotionEvent event) {
        int action = event.getActionMasked();
        injected.add(action);
        if (action == MotionEvent.ACTION_DOWN) {
            touched = system.under(event.getX(), event.getY());
            if (touched == null) return false;
            touchedBounds = system.bounds(touched);
        }
        if (touched == null || touched.view() == null) return true;
        if (event.getEventTime() < lastTime) throw new IllegalStateException("time ran backwards");
        lastTime = event.getEventTime();
        MotionEvent moved = MotionEvent.obtain(event);
        moved.offsetLocation(-touchedBounds.left, -touchedBounds.top);
        touched.view().dispatchTouchEvent(moved);
        moved.recycle();
        return true;
    }

    private boolean key(KeyEvent event) {
        injected.add(-event.getKeyCode());
        FakeSystem.Window window = system.active();
        if (window == null) return false;
        window.view().dispatchKeyEvent(event);
        return true;
    }
}
