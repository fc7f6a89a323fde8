package clawperator.agent;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import android.app.UiAutomation;
import android.os.HandlerThread;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import java.util.concurrent.Executors;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

/** Checks on each API level that the methods called by reflection exist. Their behavior can be tested only on a phone. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 28, 30, 33, 34, 35}, manifest = Config.NONE, qualifiers = "w411dp-h891dp-xhdpi")
public class PlatformTest {
    @Test
    public void displayMetricsAreRead() {
        DisplayFacts facts = Platform.display(0);
        assertEquals(822, facts.width);
        assertEquals(1782, facts.height);
        assertEquals(320, facts.density);
        assertNull(Platform.display(77));
    }

    @Test
    public void inputManagerIsFound() throws Exception {
        long now = SystemClock.uptimeMillis();
        MotionEvent touch = MotionEvent.obtain(now, now, MotionEvent.ACTION_DOWN, 5, 5, 0);
        touch.setSource(InputDevice.SOURCE_TOUCHSCREEN);
        assertExists(() -> Platform.inject(touch, 0, false));
        assertExists(() -> Platform.inject(new KeyEvent(KeyEvent.ACTION_DOWN, KeyEvent.KEYCODE_A), 0, false));
    }

    @Test
    public void clipboardServiceIsFound() throws Exception {
        assertTrue(Clipboard.isAvailable());
        assertExists(() -> {
            Clipboard.write("text");
            return Clipboard.read();
        });
    }

    @Test
    public void uiAutomationIsConstructed() throws Exception {
        HandlerThread thread = new HandlerThread("events");
        thread.start();
        // No FakeSystem is installed here: connecting fails with an error.
        Failure failure = Executors.newSingleThreadExecutor().submit(() -> {
            try {
                Platform.connect(thread.getLooper());
                return null;
            } catch (Failure e) {
                return e;
            }
        }).get(20, java.util.concurrent.TimeUnit.SECONDS);
        if (failure != null) assertTrue(failure.getMessage(), failure.code != Protocol.CODE_UNSUPPORTED);
    }

    @Test
    public void cacheIsCleared() throws Exception {
        FakeSystem system = new FakeSystem();
        HandlerThread thread = new HandlerThread("events");
        thread.start();
        UiAutomation automation = system.automation(thread.getLooper());
        assertExists(() -> Platform.clearCacheOrThrow(automation));
        assertTrue(Platform.clearCache(automation) || android.os.Build.VERSION.SDK_INT >= 34);
    }

    @Test
    public void partiallyCheckedStateIsReadIfSupported() {
        assertEquals(false, Platform.isPartiallyChecked(AccessibilityNodeInfo.obtain()));
    }

    private interface Call {
        Object run() throws Exception;
    }

    /** Checks that the methods exist; other failures are ignored, because the services are incomplete. */
    private static void assertExists(Call call) throws Exception {
        try {
            call.run();
        } catch (Exception e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                boolean missing = cause instanceof ReflectiveOperationException || cause instanceof IllegalArgumentException
                        || cause instanceof LinkageError || String.valueOf(cause.getMessage()).contains("NoSuch");
                if (missing) throw e;
            }
        }
    }
}
