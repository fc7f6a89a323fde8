package clawperator.agent;

import android.accessibilityservice.AccessibilityService;
import android.accessibilityservice.AccessibilityService.ScreenshotResult;
import android.accessibilityservice.AccessibilityService.TakeScreenshotCallback;
import android.accessibilityservice.GestureDescription;
import android.graphics.Bitmap;
import android.hardware.HardwareBuffer;
import android.util.SparseArray;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Calls of the app that exist from API 30. */
final class ServiceLevel30 {
    private static final int NO_ERROR = 0;
    private static final long SCREENSHOT_TIMEOUT_MS = 10000;
    /** The platform takes at most one screenshot per 333 ms and rejects earlier requests. */
    private static final long RETRY_DELAY_MS = 100;
    private static final int MAX_ATTEMPTS = 6;
    /** ERROR_TAKE_SCREENSHOT_SECURE_WINDOW, from 34. */
    private static final int SECURE_WINDOW = 6;
    private static final Executor DIRECT = new Executor() {
        @Override
        public void execute(Runnable task) {
            task.run();
        }
    };

    static SparseArray<List<AccessibilityWindowInfo>> windows(AccessibilityService service) {
        return service.getWindowsOnAllDisplays();
    }

    static void setDisplay(GestureDescription.Builder builder, int display) {
        builder.setDisplayId(display);
    }

    static Bitmap screenshot(AccessibilityService service, int display) throws Failure {
        for (int attempt = 1; true; attempt++) {
            Callback callback = new Callback();
            service.takeScreenshot(display, DIRECT, callback);
            try {
                if (!callback.ended.await(SCREENSHOT_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                    throw new Failure(Protocol.CODE_FAILED, Protocol.NOT_DONE, "the system returned no screenshot within " + SCREENSHOT_TIMEOUT_MS + " ms");
                }
                if (callback.error == AccessibilityService.ERROR_TAKE_SCREENSHOT_INTERVAL_TIME_SHORT && attempt < MAX_ATTEMPTS) {
                    Thread.sleep(RETRY_DELAY_MS);
                    continue;
                }
            } catch (InterruptedException e) {
                throw new Failure(Protocol.CODE_CANCELLED, Protocol.NOT_DONE, "interrupted");
            }
            if (callback.error == NO_ERROR) return callback.bitmap;
            String reason = callback.error == SECURE_WINDOW ? "a window forbids screenshots" : "error " + callback.error;
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the system returned no screenshot: " + reason);
        }
    }

    private static final class Callback implements TakeScreenshotCallback {
        final CountDownLatch ended = new CountDownLatch(1);
        volatile Bitmap bitmap;
        volatile int error;

        @Override
        public void onSuccess(ScreenshotResult result) {
            try {
                HardwareBuffer buffer = result.getHardwareBuffer();
                try {
                    // Some versions can neither scale nor encode hardware bitmaps.
                    Bitmap hardware = Bitmap.wrapHardwareBuffer(buffer, result.getColorSpace());
                    if (hardware != null) bitmap = hardware.copy(Bitmap.Config.ARGB_8888, false);
                } finally {
                    buffer.close();
                }
            } finally {
                ended.countDown();
            }
        }

        @Override
        public void onFailure(int code) {
            error = code == NO_ERROR ? AccessibilityService.ERROR_TAKE_SCREENSHOT_INTERNAL_ERROR : code;
            ended.countDown();
        }
    }

    private ServiceLevel30() {}
}
