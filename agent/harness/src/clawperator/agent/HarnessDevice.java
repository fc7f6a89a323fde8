package clawperator.agent;

import android.app.UiAutomation;
import android.graphics.Bitmap;
import android.os.Looper;
import android.view.InputEvent;
import java.util.concurrent.TimeUnit;
import org.robolectric.shadows.ShadowLooper;

/** The shipped device, with the input, pictures and clipboard of this process. */
final class HarnessDevice extends AutomationDevice {
    private final Harness harness;
    private final FakeSystem system;
    volatile boolean denyInput;
    volatile Error failInput;
    /** How long the system takes for each event, in milliseconds. */
    volatile int slowInput;
    /** When the last event had been taken. */
    private volatile long injected;

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
        Platform.connectOrName(automation);
        return automation;
    }

    @Override
    public int features() {
        return super.features() | Protocol.FEATURE_CLIPBOARD;
    }

    @Override
    public boolean inject(InputEvent event, int display, boolean result) throws Failure {
        if (failInput != null) throw failInput;
        if (denyInput) throw new SecurityException("injecting needs a permission");
        long waited = System.nanoTime() - injected;
        try {
            return system.onMain(() -> {
                boolean taken = harness.player.play(event, waited);
                if (slowInput > 0) ShadowLooper.idleMainLooper(slowInput, TimeUnit.MILLISECONDS);
                injected = System.nanoTime();
                return taken;
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
