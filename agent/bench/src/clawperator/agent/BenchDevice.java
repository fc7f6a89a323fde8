package clawperator.agent;

import android.app.UiAutomation;
import android.graphics.Bitmap;
import android.os.Looper;
import android.view.InputEvent;

/** The shipped device, with the input, pictures and clipboard of this process. */
final class BenchDevice extends AutomationDevice {
    private final Bench bench;
    private final FakeSystem system;
    volatile boolean denyInput;
    volatile Error failInput;

    BenchDevice(Bench bench, Looper looper) {
        super(looper);
        this.bench = bench;
        system = bench.system;
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
        try {
            return system.onMain(() -> bench.player.play(event));
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
            return system.onMain(bench::clipboardNow);
        } catch (Exception e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
    }

    @Override
    public void setClipboard(String text) throws Failure {
        try {
            system.onMain(() -> {
                bench.setClipboardNow(text);
                return null;
            });
        } catch (Exception e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
    }
}
