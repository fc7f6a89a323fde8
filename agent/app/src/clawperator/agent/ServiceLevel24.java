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
    /** How long after its end a gesture may be reported. */
    private static final long REPORT_WAIT = 5000;
    /** How often is looked whether somebody still waits for a gesture. */
    private static final long CANCEL_POLL = 20;
    /** The longest way of a finger that rests, in pixels. */
    private static final int LONGEST_REST = 20000;

    static void disable(AccessibilityService service) {
        service.disableSelf();
    }

    static boolean areAllowed(NotificationManager manager) {
        return manager.areNotificationsEnabled();
    }

    /** Fails when the platform plays no such gesture. */
    static void checkLimits(int pointers, int duration) throws Failure {
        int most = GestureDescription.getMaxStrokeCount();
        if (pointers > most) throw ServiceInput.unsupported("a gesture has at most " + most + " pointers");
        long longest = GestureDescription.getMaxGestureDuration();
        if (duration > longest) throw ServiceInput.unsupported("a gesture takes at most " + longest + " ms");
    }

    /** Plays a gesture and waits for its end, or until nobody waits for it any more: it goes on until the next one then. */
    static void play(AccessibilityService service, int display, int duration, int rest, int[][] paths, Cancel cancel)
            throws Failure, InterruptedException {
        GestureDescription.Builder builder = new GestureDescription.Builder();
        for (int[] points : paths) builder.addStroke(new StrokeDescription(path(points, duration, rest), 0, duration + rest));
        if (Build.VERSION.SDK_INT >= 30) ServiceLevel30.setDisplay(builder, display);
        Outcome outcome = new Outcome();
        if (!service.dispatchGesture(builder.build(), outcome, null)) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the system did not take the gesture");
        }
        long latest = System.nanoTime() + (duration + rest + REPORT_WAIT) * 1000000L;
        while (!outcome.ended.await(CANCEL_POLL, TimeUnit.MILLISECONDS)) {
            cancel.check(Protocol.DONE_PARTLY);
            if (System.nanoTime() > latest) {
                throw new Failure(Protocol.CODE_FAILED, Protocol.UNKNOWN, "the system did not report the end of the gesture");
            }
        }
        if (!outcome.completed) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.UNKNOWN,
                    "the system cancelled the gesture, for instance because a person touched the screen");
        }
    }

    /** A point alone is held where it is. */
    private static Path path(int[] points, int duration, int rest) throws Failure {
        Path path = new Path();
        path.moveTo(points[0], points[1]);
        double length = 0;
        for (int at = 2; at < points.length; at += 2) {
            path.lineTo(points[at], points[at + 1]);
            length += Math.hypot(points[at] - points[at - 2], points[at + 1] - points[at - 1]);
        }
        if (length > 0) addRest(path, points, length * rest / duration);
        return path;
    }

    /**
     * A gesture has one speed from its beginning to its end, so that a finger which rests goes to and fro by a pixel, across the
     * way that it came. The system plays a move where a finger is elsewhere than before: it drifts, too, so that it always is.
     */
    private static void addRest(Path path, int[] points, double way) throws Failure {
        if (way > LONGEST_REST) throw ServiceInput.unsupported("a finger of this speed does not rest so long");
        int last = points.length - 2;
        int x = points[last];
        int y = points[last + 1];
        boolean upright = Math.abs(x - points[last - 2]) < Math.abs(y - points[last - 1]);
        for (int gone = 0; gone < way; gone++) {
            float aside = (float) (gone / way) + (gone + 1) % 2;
            path.lineTo(upright ? x + aside : x, upright ? y : y + aside);
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
