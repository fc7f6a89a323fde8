package clawperator.agent;

import android.app.UiAutomation;
import android.graphics.Bitmap;
import android.os.Looper;
import android.view.InputEvent;
import java.util.concurrent.TimeUnit;
import org.robolectric.shadows.ShadowLooper;

/** The AutomationDevice with the input, screenshots and clipboard of this process. */
final class HarnessDevice extends AutomationDevice {
    private final Harness harness;
    private final FakeSystem system;
    volatile boolean denyInput;
    volatile Error failInput;
    /** Delay of each input event. */
    volatile int inputDelayMs;
    /** When the last event was injected. */
    private volatile long lastInjected;

    HarnessDevice(Harness harness, Looper looper) {
        super(looper);
        this.harness = harness;
        system = harness.system;
    }

    @Override
    UiAutomation connect(Looper looper) throws Failure {
        UiAutomation automation;
        try {
            automation = system.automation(looper);
        } catch (Exception e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
        Platform.connectOrNameHolder(automation);
        return automation;
    }

    @Override
    public int features() {
        return super.features() | Protocol.FEATURE_CLIPBOARD;
    }

    @Override
    public boolean inject(InputEvent event, int display, boolean wait) throws Failure {
        if (failInput != null) throw failInput;
        if (denyInput) throw new SecurityException("injecting needs a permission");
        long waitedNanos = System.nanoTime() - lastInjected;
        try {
            return system.onMain(() -> {
                boolean accepted = harness.player.play(event, waitedNanos);
                if (inputDelayMs > 0) ShadowLooper.idleMainLooper(inputDelayMs, TimeUnit.MILLISECONDS);
                lastInjected = System.nanoTime();
                return accepted;
            });
        } catch (Exception e) {
            throw Failure.of(e, Protocol.UNKNOWN);
        }
    }

    @Override
    public Bitmap screenshot(int display) throws Failure {
        if (display != 0) return super.screenshot(display);
        try {
            DisplayFacts facts = display(0);
            return system.onMain(() -> system.draw(facts.width, facts.height));
        } catch (Exception e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
    }

    @Override
    public String clipboard() throws Failure {
        try {
            return system.onMain(harness::clipboardNow);
        } catch (Exception e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
    }

    @Override
    public void setClipboard(String text) throws Failure {
        try {
            system.onMain(() -> {
                harness.setClipboardNow(text);
                return null;
            });
        } catch (Exception e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
    }
}
