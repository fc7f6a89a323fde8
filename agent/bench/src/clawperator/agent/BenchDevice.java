package clawperator.agent;

import android.app.UiAutomation;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Rect;
import android.os.Looper;
import android.view.InputEvent;
import android.view.KeyEvent;
import android.view.MotionEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.robolectric.RuntimeEnvironment;

/** The shipped device, with the input, pictures and clipboard of this process. */
final class BenchDevice extends AutomationDevice {
    private final FakeSystem system;
    private FakeSystem.Window touched;
    private Rect touchedBounds;
    private long lastTime;
    /** What was injected: actions of touches, negative key codes. */
    final List<Integer> injected = Collections.synchronizedList(new ArrayList<Integer>());
    volatile boolean denyInput;
    volatile Error failInput;

    BenchDevice(FakeSystem system, Looper looper) {
        super(looper);
        this.system = system;
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
            return system.onMain(() -> event instanceof MotionEvent ? touch((MotionEvent) event) : key((KeyEvent) event));
        } catch (Exception e) {
            throw Failure.of(e, Protocol.UNKNOWN);
        }
    }

    private boolean touch(MotionEvent event) {
        int action = event.getActionMasked();
        injected.add(action);
        if (action == MotionEvent.ACTION_DOWN) {
            touched = system.under(event.getX(), event.getY());
            if (touched == null) return false;
            touchedBounds = system.bounds(touched);
        }
        if (touched == null || touched.view() == null) return true;
        if (event.getEventTime() < lastTime) throw new IllegalStateException("time ran backwards");
        lastTime = event.getEventTime();
        MotionEvent moved = MotionEvent.obtain(event);
        moved.offsetLocation(-touchedBounds.left, -touchedBounds.top);
        touched.view().dispatchTouchEvent(moved);
        moved.recycle();
        return true;
    }

    private boolean key(KeyEvent event) {
        injected.add(-event.getKeyCode());
        FakeSystem.Window window = system.active();
        if (window == null) return false;
        window.view().dispatchKeyEvent(event);
        return true;
    }

    @Override
    public Bitmap screenshot(int display) throws Failure {
        if (display != 0) return super.screenshot(display);
        try {
            return system.onMain(() -> {
                DisplayFacts facts = display(0);
                Bitmap picture = Bitmap.createBitmap(facts.width, facts.height, Bitmap.Config.ARGB_8888);
                Canvas canvas = new Canvas(picture);
                canvas.drawColor(Color.WHITE);
                for (FakeSystem.Window window : system.windows()) {
                    if (window.view() == null) continue;
                    Rect bounds = system.bounds(window);
                    canvas.save();
                    canvas.translate(bounds.left, bounds.top);
                    window.view().draw(canvas);
                    canvas.restore();
                }
                return picture;
            });
        } catch (Exception e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
    }

    private static ClipboardManager manager() {
        return (ClipboardManager) RuntimeEnvironment.getApplication().getSystemService(Context.CLIPBOARD_SERVICE);
    }

    @Override
    public String clipboard() throws Failure {
        try {
            return system.onMain(() -> {
                ClipData clip = manager().getPrimaryClip();
                if (clip == null || clip.getItemCount() == 0 || clip.getItemAt(0).getText() == null) return "";
                return clip.getItemAt(0).getText().toString();
            });
        } catch (Exception e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
    }

    /** Runs on the main thread. */
    void setClipboardNow(String text) {
        manager().setPrimaryClip(ClipData.newPlainText("", text));
    }

    @Override
    public void setClipboard(String text) throws Failure {
        try {
            system.onMain(() -> {
                setClipboardNow(text);
                return null;
            });
        } catch (Exception e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
    }
}
