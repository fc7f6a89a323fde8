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

/** Plays touches and keys as single events. */
final class Injector implements Input {
    /** Between two moves: a bit more than a hundred a second. */
    private static final long STEP = 8000000L;
    private final Sink sink;

    /** Takes events. */
    interface Sink {
        /** Injects an event; with `result` it waits until the system has taken or refused it. */
        boolean inject(InputEvent event, int display, boolean result) throws Failure;
    }

    Injector(Sink sink) {
        this.sink = sink;
    }

    @Override
    public void touch(int display, int duration, int rest, int[][] paths, Cancel cancel) throws Failure, InterruptedException {
        Fingers fingers = new Fingers(paths);
        cancel.check(Protocol.NOT_DONE);
        int held = 0;
        try {
            while (held < paths.length) {
                require(fingers.changed(held + 1, MotionEvent.ACTION_DOWN), display, held > 0);
                held++;
            }
            // What the system took for the first events does not shorten a long press.
            long began = System.nanoTime();
            long end = began + duration * 1000000L;
            long lift = end + rest * 1000000L;
            long next = began + STEP;
            // Fingers that rest go on to tell where they are, as on glass: then no estimate of their speed is above zero.
            while (fingers.moves && next < lift) {
                pause(next, cancel);
                fingers.moveTo((float) (System.nanoTime() - began) / (end - began));
                send(fingers.event(MotionEvent.ACTION_MOVE, paths.length), display, false, true);
                next = Math.max(next + STEP, System.nanoTime());
            }
            pause(lift, cancel);
            if (fingers.moves) {
                fingers.moveTo(1);
                require(fingers.event(MotionEvent.ACTION_MOVE, paths.length), display, true);
            }
            long pressed = SystemClock.uptimeMillis() - fingers.downTime;
            while (held > 0) {
                require(fingers.changed(held, MotionEvent.ACTION_UP), display, true);
                held--;
            }
            if (!fingers.moves) requireHeldFor(duration + rest, pressed);
        } finally {
            if (held > 0) release(fingers, held, display);
        }
    }

    /** The system may suspend this process between two events, long enough that apps take a tap for a long press. */
    private static void requireHeldFor(int planned, long pressed) throws Failure {
        int longPress = ViewConfiguration.getLongPressTimeout();
        if (planned >= longPress || pressed < longPress) return;
        throw new Failure(Protocol.CODE_FAILED, Protocol.DONE_PARTLY,
                "the phone was busy and the tap took " + pressed + " ms, so the app may have taken it for a long press");
    }

    @Override
    public void key(int display, int code, int meta, Cancel cancel) throws Failure {
        cancel.check(Protocol.NOT_DONE);
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
            // The failure that led here is the one to report.
        }
    }

    private static void pause(long until, Cancel cancel) throws Failure, InterruptedException {
        if (!cancel.waitUntil(until)) throw new Failure(Protocol.CODE_CANCELLED, Protocol.DONE_PARTLY, "the touch was cancelled");
    }

    private void require(InputEvent event, int display, boolean begun) throws Failure {
        if (!send(event, display, true, begun)) {
            int dispatch = begun ? Protocol.DONE_PARTLY : Protocol.NOT_DONE;
            throw new Failure(Protocol.CODE_REFUSED, dispatch, "the system did not take the input");
        }
    }

    private boolean send(InputEvent event, int display, boolean result, boolean begun) throws Failure {
        try {
            return sink.inject(event, display, result);
        } catch (SecurityException e) {
            throw new Failure(Protocol.CODE_DENIED, begun ? Protocol.DONE_PARTLY : Protocol.NOT_DONE, Failure.describe(e));
        } catch (RuntimeException e) {
            throw Failure.of(e, begun ? Protocol.DONE_PARTLY : Protocol.UNKNOWN);
        }
    }

    /** The pointers of one touch and where they are. */
    private static final class Fingers {
        final boolean moves;
        private final int[][] paths;
        private final double[] lengths;
        private final PointerProperties[] properties;
        private final PointerCoords[] places;
        private final long downTime = SystemClock.uptimeMillis();

        Fingers(int[][] paths) {
            this.paths = paths;
            lengths = new double[paths.length];
            properties = new PointerProperties[paths.length];
            places = new PointerCoords[paths.length];
            boolean any = false;
            for (int i = 0; i < paths.length; i++) {
                properties[i] = new PointerProperties();
                properties[i].id = i;
                properties[i].toolType = MotionEvent.TOOL_TYPE_FINGER;
                places[i] = new PointerCoords();
                places[i].pressure = 1;
                places[i].size = 1;
                places[i].x = paths[i][0];
                places[i].y = paths[i][1];
                for (int at = 2; at < paths[i].length; at += 2) lengths[i] += distance(paths[i], at);
                any |= lengths[i] > 0;
            }
            moves = any;
        }

        /** Puts each pointer where it is after a part, 0 to 1, of its path. */
        void moveTo(float part) {
            for (int i = 0; i < paths.length; i++) place(i, Math.min(1, part) * lengths[i]);
        }

        private void place(int pointer, double way) {
            int[] path = paths[pointer];
            double rest = way;
            int at = 2;
            while (at < path.length - 2 && rest > distance(path, at)) {
                rest -= distance(path, at);
                at += 2;
            }
            if (at >= path.length) return;
            double step = distance(path, at);
            double part = step == 0 ? 1 : Math.min(1, rest / step);
            places[pointer].x = (float) (path[at - 2] + (path[at] - path[at - 2]) * part);
            places[pointer].y = (float) (path[at - 1] + (path[at + 1] - path[at - 1]) * part);
        }

        private static double distance(int[] path, int at) {
            return Math.hypot((double) path[at] - path[at - 2], (double) path[at + 1] - path[at - 1]);
        }

        /** The event with which the pointer number `count` comes or goes. */
        MotionEvent changed(int count, int action) {
            if (count == 1) return event(action, 1);
            int other = action == MotionEvent.ACTION_DOWN ? MotionEvent.ACTION_POINTER_DOWN : MotionEvent.ACTION_POINTER_UP;
            return event(other | count - 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT, count);
        }

        MotionEvent event(int action, int count) {
            return MotionEvent.obtain(downTime, SystemClock.uptimeMillis(), action, count, properties, places, 0, 0, 1, 1, 0, 0,
                    InputDevice.SOURCE_TOUCHSCREEN, 0);
        }
    }
}
