package clawperator.agent;

import android.accessibilityservice.AccessibilityService;
import android.accessibilityservice.GestureDescription;
import android.accessibilityservice.GestureDescription.StrokeDescription;
import android.app.NotificationManager;
import android.graphics.Path;
import android.os.Build;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Calls of the app that exist from API 24. */
final class ServiceLevel24 {
    /** Timeout for the report of a gesture after its end. */
    private static final long REPORT_TIMEOUT_MS = 5000;
    /** Interval at which a running gesture is checked for cancellation. */
    private static final long CANCEL_POLL_MS = 20;
    /** The longest path of a finger that stays in place, in pixels. */
    private static final int MAX_STAY_PATH = 20000;

    static void disable(AccessibilityService service) {
        service.disableSelf();
    }

    static boolean areNotificationsAllowed(NotificationManager manager) {
        return manager.areNotificationsEnabled();
    }

    /** Fails if the platform does not support such a gesture. */
    static void checkLimits(int pointers, int duration) throws Failure {
        int maxPointers = GestureDescription.getMaxStrokeCount();
        if (pointers > maxPointers) throw ServiceInput.unsupported("a gesture has at most " + maxPointers + " pointers");
        long maxDuration = GestureDescription.getMaxGestureDuration();
        if (duration > maxDuration) throw ServiceInput.unsupported("a gesture takes at most " + maxDuration + " ms");
    }

    /**
     * Dispatches a gesture and waits for its end. When the request is cancelled it returns early; the system plays on until the
     * next gesture replaces this one.
     */
    static void play(AccessibilityService service, int display, Touch touch, CancellationToken cancellation) throws Failure, InterruptedException {
        GestureDescription.Builder builder = new GestureDescription.Builder();
        for (int[] points : touch.paths) builder.addStroke(new StrokeDescription(path(points, touch), 0, touch.millis()));
        if (Build.VERSION.SDK_INT >= 30) ServiceLevel30.setDisplay(builder, display);
        Outcome outcome = new Outcome();
        if (!service.dispatchGesture(builder.build(), outcome, null)) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the system rejected the gesture");
        }
        long deadline = System.nanoTime() + (touch.millis() + REPORT_TIMEOUT_MS) * 1000000L;
        while (!outcome.ended.await(CANCEL_POLL_MS, TimeUnit.MILLISECONDS)) {
            cancellation.check(Protocol.DONE_PARTLY);
            if (System.nanoTime() > deadline) {
                throw new Failure(Protocol.CODE_FAILED, Protocol.UNKNOWN, "the system did not report the end of the gesture");
            }
        }
        if (!outcome.completed) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.UNKNOWN,
                    "the system cancelled the gesture, for instance because a person touched the screen");
        }
    }

    /** A path of one point is held in place. */
    private static Path path(int[] points, Touch touch) throws Failure {
        double length = 0;
        for (int at = 2; at < points.length; at += 2) length += Math.hypot(points[at] - points[at - 2], points[at + 1] - points[at - 1]);
        Path path = new Path();
        path.moveTo(points[0], points[1]);
        if (length == 0) return path;
        stay(path, points, 0, length * touch.hold / touch.duration);
        for (int at = 2; at < points.length; at += 2) path.lineTo(points[at], points[at + 1]);
        stay(path, points, points.length - 2, length * touch.rest / touch.duration);
        return path;
    }

    /**
     * A stroke has one speed, so a finger that stays at a point is drawn as a path that oscillates by one pixel across the direction
     * of movement. The system emits a move only where the position differs from the last one, so the path also drifts by up to
     * one pixel.
     */
    private static void stay(Path path, int[] points, int at, double length) throws Failure {
        if (length > MAX_STAY_PATH) throw ServiceInput.unsupported("a finger of this speed cannot stay in place for so long");
        int x = points[at];
        int y = points[at + 1];
        int other = at == 0 ? 2 : at - 2;
        boolean vertical = Math.abs(x - points[other]) < Math.abs(y - points[other + 1]);
        for (int step = 0; step < length; step++) {
            float offset = (float) (step / length) + (step + 1) % 2;
            path.lineTo(vertical ? x + offset : x, vertical ? y : y + offset);
        }
    }

    private static final class Outcome extends AccessibilityService.GestureResultCallback {
        final CountDownLatch ended = new CountDownLatch(1);
        volatile boolean completed;

        @Override
        public void onCompleted(GestureDescription gesture) {
            completed = true;
            ended.countDown();
        }

        @Override
        public void onCancelled(GestureDescription gesture) {
            ended.countDown();
        }
    }

    private ServiceLevel24() {}
}
