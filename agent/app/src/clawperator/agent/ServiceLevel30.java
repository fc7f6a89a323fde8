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
    private static final long PICTURE_WAIT = 10000;
    /** The platform takes a picture at most every 333 ms, and refuses earlier requests. */
    private static final long INTERVAL_WAIT = 100;
    private static final int MOST_ATTEMPTS = 6;
    /** ERROR_TAKE_SCREENSHOT_SECURE_WINDOW, from 34. */
    private static final int SECURE = 6;
    private static final Executor HERE = new Executor() {
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
            Picture picture = new Picture();
            service.takeScreenshot(display, HERE, picture);
            try {
                if (!picture.came.await(PICTURE_WAIT, TimeUnit.MILLISECONDS)) {
                    throw new Failure(Protocol.CODE_FAILED, Protocol.NOT_DONE, "the system gave no picture in " + PICTURE_WAIT + " ms");
                }
                if (picture.error == AccessibilityService.ERROR_TAKE_SCREENSHOT_INTERVAL_TIME_SHORT && attempt < MOST_ATTEMPTS) {
                    Thread.sleep(INTERVAL_WAIT);
                    continue;
                }
            } catch (InterruptedException e) {
                throw new Failure(Protocol.CODE_CANCELLED, Protocol.NOT_DONE, "interrupted");
            }
            if (picture.error == NO_ERROR) return picture.bitmap;
            String why = picture.error == SECURE ? "a window forbids pictures" : "error " + picture.error;
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the system gave no picture: " + why);
        }
    }

    private static final class Picture implements TakeScreenshotCallback {
        final CountDownLatch came = new CountDownLatch(1);
        volatile Bitmap bitmap;
        volatile int error;

        @Override
        public void onSuccess(ScreenshotResult result) {
            try {
                HardwareBuffer buffer = result.getHardwareBuffer();
                try {
                    // Pictures in graphics memory can be neither scaled nor written everywhere.
                    Bitmap hardware = Bitmap.wrapHardwareBuffer(buffer, result.getColorSpace());
                    if (hardware != null) bitmap = hardware.copy(Bitmap.Config.ARGB_8888, false);
                } finally {
                    buffer.close();
                }
            } finally {
                came.countDown();
            }
        }

        @Override
        public void onFailure(int code) {
            error = code == NO_ERROR ? AccessibilityService.ERROR_TAKE_SCREENSHOT_INTERNAL_ERROR : code;
            came.countDown();
        }
    }

    private ServiceLevel30() {}
}
