package clawperator.agent;

import android.app.UiAutomation;
import android.graphics.Bitmap;
import android.os.Looper;
import android.view.InputEvent;
import android.view.MotionEvent;
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
    private volatile long observationBegan;
    /** Nanoseconds in which the events of the last touch were dispatched. */
    private volatile long dispatchNanos;

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

    /** Nanoseconds of the last `observe` or `tap` that the framework took, from the first call of the agent to the last answer. */
    long frameworkNanos(String kind) {
        switch (kind) {
            case "observe": return system.answerNanos - observationBegan;
            case "tap": return dispatchNanos;
            default: throw new IllegalArgumentException(kind);
        }
    }

    @Override
    public boolean clearCache() {
        observationBegan = System.nanoTime();
        return super.clearCache();
    }

    @Override
    public int features() {
        return super.features() | Protocol.FEATURE_CLIPBOARD;
    }

    @Override
    public boolean inject(InputEvent event, int display, boolean wait) throws Failure {
        if (failInput != null) throw failInput;
        if (denyInput) throw new SecurityException("injecting needs a permission");
        long began = System.nanoTime();
        long waitedNanos = began - lastInjected;
        boolean isDown = event instanceof MotionEvent && ((MotionEvent) event).getActionMasked() == MotionEvent.ACTION_DOWN;
        try {
            return system.onMain(() -> {
                boolean accepted = harness.player.play(event, waitedNanos);
                if (inputDelayMs > 0) ShadowLooper.idleMainLooper(inputDelayMs, TimeUnit.MILLISECONDS);
                lastInjected = System.nanoTime();
                return accepted;
            });
        } catch (Exception e) {
            throw Failure.of(e, Protocol.UNKNOWN);
        } finally {
            long nanos = System.nanoTime() - began;
            dispatchNanos = isDown ? nanos : dispatchNanos + nanos;
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
