package clawperator.agent;

import android.os.SystemClock;
import android.view.InputDevice;
import android.view.InputEvent;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.MotionEvent.PointerCoords;
import android.view.MotionEvent.PointerProperties;
import android.view.ViewConfiguration;

/** Injects touches and keys as single events. */
final class Injector implements Input {
    /** Interval between two moves. */
    private static final long MOVE_INTERVAL_NANOS = 8000000L;
    private final EventSink sink;

    /** Injects single events. */
    interface EventSink {
        /** Injects an event; with `wait`, waits until the system has accepted or rejected it. */
        boolean inject(InputEvent event, int display, boolean wait) throws Failure;
    }

    Injector(EventSink sink) {
        this.sink = sink;
    }

    @Override
    public void touch(int display, Touch touch, CancellationToken cancellation) throws Failure, InterruptedException {
        int[][] paths = touch.paths;
        Fingers fingers = new Fingers(paths);
        cancellation.check(Protocol.NOT_DONE);
        int down = 0;
        try {
            while (down < paths.length) {
                require(fingers.changed(down + 1, MotionEvent.ACTION_DOWN), display, down > 0);
                down++;
            }
            // Time that the system needs for the first events does not shorten a long press.
            long began = System.nanoTime() + touch.hold * 1000000L;
            long end = began + touch.duration * 1000000L;
            long liftTime = end + touch.rest * 1000000L;
            long next = began + MOVE_INTERVAL_NANOS;
            // Resting fingers keep sending moves, as on a touch screen, so that velocity estimates become zero.
            while (fingers.moves && next < liftTime) {
                pause(next, cancellation);
                fingers.moveTo((float) (System.nanoTime() - began) / (end - began));
                send(fingers.event(MotionEvent.ACTION_MOVE, paths.length), display, false, true);
                next = Math.max(next + MOVE_INTERVAL_NANOS, System.nanoTime());
            }
            pause(liftTime, cancellation);
            if (fingers.moves) {
                fingers.moveTo(1);
                require(fingers.event(MotionEvent.ACTION_MOVE, paths.length), display, true);
            }
            long pressed = SystemClock.uptimeMillis() - fingers.downTime;
            while (down > 0) {
                require(fingers.changed(down, MotionEvent.ACTION_UP), display, true);
                down--;
            }
            if (!fingers.moves) requireHeldFor(touch.millis(), pressed);
        } finally {
            if (down > 0) release(fingers, down, display);
        }
    }

    /** Fails if the system suspended this process between two events for so long that apps may detect a long press instead of a tap. */
    private static void requireHeldFor(int planned, long pressed) throws Failure {
        int longPress = ViewConfiguration.getLongPressTimeout();
        if (planned >= longPress || pressed < longPress) return;
        throw new Failure(Protocol.CODE_FAILED, Protocol.DONE_PARTLY,
                "the phone was busy and the tap took " + pressed + " ms, so the app may have detected a long press");
    }

    @Override
    public void key(int display, int code, int meta, CancellationToken cancellation) throws Failure {
        cancellation.check(Protocol.NOT_DONE);
        long now = SystemClock.uptimeMillis();
        require(keyEvent(now, KeyEvent.ACTION_DOWN, code, meta), display, false);
        require(keyEvent(now, KeyEvent.ACTION_UP, code, meta), display, true);
    }

    private static KeyEvent keyEvent(long down, int action, int code, int meta) {
        return new KeyEvent(down, SystemClock.uptimeMillis(), action, code, 0, meta, KeyCharacterMap.VIRTUAL_KEYBOARD, 0, 0,
                InputDevice.SOURCE_KEYBOARD);
    }

    private void release(Fingers fingers, int count, int display) {
        try {
            sink.inject(fingers.event(MotionEvent.ACTION_CANCEL, count), display, false);
        } catch (Throwable ignored) {
            // The first failure is reported.
        }
    }

    private static void pause(long until, CancellationToken cancellation) throws Failure, InterruptedException {
        if (!cancellation.waitUntil(until)) throw new Failure(Protocol.CODE_CANCELLED, Protocol.DONE_PARTLY, "the touch was cancelled");
    }

    private void require(InputEvent event, int display, boolean started) throws Failure {
        if (!send(event, display, true, started)) {
            int dispatch = started ? Protocol.DONE_PARTLY : Protocol.NOT_DONE;
            throw new Failure(Protocol.CODE_REFUSED, dispatch, "the system rejected the input");
        }
    }

    private boolean send(InputEvent event, int display, boolean wait, boolean started) throws Failure {
        try {
            return sink.inject(event, display, wait);
        } catch (SecurityException e) {
            throw new Failure(Protocol.CODE_DENIED, started ? Protocol.DONE_PARTLY : Protocol.NOT_DONE, Failure.describe(e));
        } catch (RuntimeException e) {
            throw Failure.of(e, started ? Protocol.DONE_PARTLY : Protocol.UNKNOWN);
        }
    }

    /** The pointers of a touch and their positions. */
    private static final class Fingers {
        final boolean moves;
        private final int[][] paths;
        private final double[] lengths;
        private final PointerProperties[] properties;
        private final PointerCoords[] positions;
        private final long downTime = SystemClock.uptimeMillis();

        Fingers(int[][] paths) {
            this.paths = paths;
            lengths = new double[paths.length];
            properties = new PointerProperties[paths.length];
            positions = new PointerCoords[paths.length];
            boolean any = false;
            for (int i = 0; i < paths.length; i++) {
                properties[i] = new PointerProperties();
                properties[i].id = i;
                properties[i].toolType = MotionEvent.TOOL_TYPE_FINGER;
                positions[i] = new PointerCoords();
                positions[i].pressure = 1;
                positions[i].size = 1;
                positions[i].x = paths[i][0];
                positions[i].y = paths[i][1];
                for (int at = 2; at < paths[i].length; at += 2) lengths[i] += distance(paths[i], at);
                any |= lengths[i] > 0;
            }
            moves = any;
        }

        /** Moves each pointer to a fraction, 0 to 1, of its path. */
        void moveTo(float fraction) {
            for (int i = 0; i < paths.length; i++) position(i, Math.min(1, fraction) * lengths[i]);
        }

        private void position(int pointer, double distance) {
            int[] path = paths[pointer];
            double remaining = distance;
            int at = 2;
            while (at < path.length - 2 && remaining > distance(path, at)) {
                remaining -= distance(path, at);
                at += 2;
            }
            if (at >= path.length) return;
            double step = distance(path, at);
            double fraction = step == 0 ? 1 : Math.min(1, remaining / step);
            positions[pointer].x = (float) (path[at - 2] + (path[at] - path[at - 2]) * fraction);
            positions[pointer].y = (float) (path[at - 1] + (path[at + 1] - path[at - 1]) * fraction);
        }

        private static double distance(int[] path, int at) {
            return Math.hypot((double) path[at] - path[at - 2], (double) path[at + 1] - path[at - 1]);
        }

        /** The event that adds or removes the last of `count` pointers. */
        MotionEvent changed(int count, int action) {
            if (count == 1) return event(action, 1);
            int other = action == MotionEvent.ACTION_DOWN ? MotionEvent.ACTION_POINTER_DOWN : MotionEvent.ACTION_POINTER_UP;
            return event(other | count - 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT, count);
        }

        MotionEvent event(int action, int count) {
            return MotionEvent.obtain(downTime, SystemClock.uptimeMillis(), action, count, properties, positions, 0, 0, 1, 1, 0, 0,
                    InputDevice.SOURCE_TOUCHSCREEN, 0);
        }
    }
}
