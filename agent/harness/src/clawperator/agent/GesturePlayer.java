package clawperator.agent;

import android.view.InputDevice;
import android.view.MotionEvent;
import android.view.MotionEvent.PointerCoords;
import android.view.MotionEvent.PointerProperties;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.robolectric.util.ReflectionHelpers;

/** Converts the steps of a gesture to touches, like the system server. */
final class GesturePlayer {
    private final FakeSystem system;
    private final TouchPlayer player;
    private final List<Integer> strokes = new ArrayList<>();
    /** The pointer id of each active stroke. */
    private final List<Integer> ids = new ArrayList<>();
    private final List<float[]> positions = new ArrayList<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);
    private long down;
    /** The planned time since the last event; steps without a movement send none. */
    private long waitedNanos;

    GesturePlayer(FakeSystem system, TouchPlayer player) {
        this.system = system;
        this.player = player;
    }

    /** Plays all steps; false if a window rejected a step or the gesture was cancelled. */
    boolean play(List<?> steps, boolean cancel) throws Exception {
        try {
            if (cancel) return false;
            long began = System.nanoTime();
            down = android.os.SystemClock.uptimeMillis();
            long last = 0;
            for (Object step : steps) {
                long at = ReflectionHelpers.<Long>getField(step, "timeSinceGestureStart");
                long remaining = at - (System.nanoTime() - began) / 1000000;
                if (cancelled.await(remaining, TimeUnit.MILLISECONDS)) {
                    if (!strokes.isEmpty()) system.onMain(() -> player.play(event(MotionEvent.ACTION_CANCEL), 0));
                    return false;
                }
                waitedNanos += TimeUnit.MILLISECONDS.toNanos(at - last);
                last = at;
                if (!system.onMain(() -> play(step))) return false;
            }
            return true;
        } finally {
            finished.countDown();
        }
    }

    /** Cancels the gesture and waits until it has ended. */
    void end() throws InterruptedException {
        cancelled.countDown();
        finished.await();
    }

    private boolean play(Object step) {
        int count = ReflectionHelpers.getField(step, "numTouchPoints");
        Object points = ReflectionHelpers.getField(step, "touchPoints");
        boolean moved = false;
        for (int i = 0; i < count; i++) moved |= move(Array.get(points, i));
        boolean accepted = !moved || send(MotionEvent.ACTION_MOVE);
        for (int i = 0; i < count; i++) {
            Object point = Array.get(points, i);
            int stroke = ReflectionHelpers.getField(point, "mStrokeId");
            if (ReflectionHelpers.<Boolean>getField(point, "mIsEndOfPath")) {
                int index = strokes.indexOf(stroke);
                accepted &= send(pointerAction(index, MotionEvent.ACTION_UP, MotionEvent.ACTION_POINTER_UP));
                strokes.remove(index);
                ids.remove(index);
                positions.remove(index);
            }
        }
        for (int i = 0; i < count; i++) {
            Object point = Array.get(points, i);
            if (!ReflectionHelpers.<Boolean>getField(point, "mIsStartOfPath")) continue;
            strokes.add(ReflectionHelpers.getField(point, "mStrokeId"));
            ids.add(freeId());
            positions.add(new float[] {ReflectionHelpers.<Float>getField(point, "mX"), ReflectionHelpers.<Float>getField(point, "mY")});
            accepted &= send(pointerAction(strokes.size() - 1, MotionEvent.ACTION_DOWN, MotionEvent.ACTION_POINTER_DOWN));
        }
        return accepted;
    }

    private boolean send(int action) {
        boolean accepted = player.play(event(action), waitedNanos);
        waitedNanos = 0;
        return accepted;
    }

    private int freeId() {
        int id = 0;
        while (ids.contains(id)) id++;
        return id;
    }

    private boolean move(Object point) {
        int index = strokes.indexOf(ReflectionHelpers.<Integer>getField(point, "mStrokeId"));
        if (index < 0) return false;
        float x = ReflectionHelpers.getField(point, "mX");
        float y = ReflectionHelpers.getField(point, "mY");
        float[] old = positions.get(index);
        if (old[0] == x && old[1] == y) return false;
        positions.set(index, new float[] {x, y});
        return true;
    }

    private int pointerAction(int index, int single, int multi) {
        return strokes.size() == 1 ? single : multi | index << MotionEvent.ACTION_POINTER_INDEX_SHIFT;
    }

    private MotionEvent event(int action) {
        PointerProperties[] properties = new PointerProperties[strokes.size()];
        PointerCoords[] coordinates = new PointerCoords[strokes.size()];
        for (int i = 0; i < properties.length; i++) {
            properties[i] = new PointerProperties();
            properties[i].id = ids.get(i);
            properties[i].toolType = MotionEvent.TOOL_TYPE_FINGER;
            coordinates[i] = new PointerCoords();
            coordinates[i].x = positions.get(i)[0];
            coordinates[i].y = positions.get(i)[1];
        }
        return MotionEvent.obtain(down, android.os.SystemClock.uptimeMillis(), action, properties.length, properties, coordinates,
                0, 0, 1, 1, 0, 0, InputDevice.SOURCE_TOUCHSCREEN, 0);
    }
}
