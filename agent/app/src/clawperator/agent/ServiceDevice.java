package clawperator.agent;

import android.accessibilityservice.AccessibilityService;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.Point;
import android.hardware.display.DisplayManager;
import android.os.Build;
import android.util.DisplayMetrics;
import android.util.SparseArray;
import android.view.Display;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.List;

/** Accesses the phone through an accessibility service and public APIs. */
class ServiceDevice implements Device {
    private static final int API = Build.VERSION.SDK_INT;

    private final AccessibilityService service;
    private final Input input;
    private final ClipboardManager clipboard;
    private final Listeners listeners = new Listeners();

    /** Runs on the main thread: before Android 8, creating the ClipboardManager requires a thread with a looper. */
    ServiceDevice(AccessibilityService service) {
        this.service = service;
        clipboard = (ClipboardManager) service.getSystemService(Context.CLIPBOARD_SERVICE);
        input = new ServiceInput(service);
    }

    @Override
    public int form() {
        return Protocol.FORM_APP;
    }

    @Override
    public int features() {
        return Protocol.FEATURE_SYSTEM_KEYS | (API >= 24 ? Protocol.FEATURE_GESTURES : 0)
                | (API >= 30 ? Protocol.FEATURE_REST | Protocol.FEATURE_SCREENSHOTS | Protocol.FEATURE_EDITOR_ACTION : 0)
                | (API < 29 ? Protocol.FEATURE_CLIPBOARD : 0);
    }

    @Override
    @SuppressWarnings("deprecation")
    public DisplayFacts display(int id) {
        Display display = ((DisplayManager) service.getSystemService(Context.DISPLAY_SERVICE)).getDisplay(id);
        if (display == null) return null;
        Point size = new Point();
        display.getRealSize(size);
        DisplayMetrics metrics = new DisplayMetrics();
        display.getRealMetrics(metrics);
        return new DisplayFacts(size.x, size.y, display.getRotation(), metrics.densityDpi);
    }

    @Override
    public SparseArray<List<AccessibilityWindowInfo>> windows() {
        if (API >= 30) return ServiceLevel30.windows(service);
        SparseArray<List<AccessibilityWindowInfo>> all = new SparseArray<List<AccessibilityWindowInfo>>();
        List<AccessibilityWindowInfo> windows = service.getWindows();
        if (!windows.isEmpty()) all.put(0, windows);
        return all;
    }

    @Override
    public AccessibilityNodeInfo activeRoot() {
        return service.getRootInActiveWindow();
    }

    @Override
    public boolean clearCache() {
        return API >= 33 && ServiceLevel33.clearCache(service);
    }

    @Override
    public Input input() {
        return input;
    }

    @Override
    public boolean typeAsKeyboard(AccessibilityNodeInfo field, String text, CancellationToken cancellation) throws Failure, InterruptedException {
        return API >= 33 && ServiceLevel33.typeAsKeyboard(service, field, text, cancellation);
    }

    @Override
    public Bitmap screenshot(int display) throws Failure {
        if (API < 30) {
            throw new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE, "screenshots by an accessibility service need Android 11");
        }
        if (display(display) == null) {
            throw new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE, "there is no display " + display);
        }
        return ServiceLevel30.screenshot(service, display);
    }

    @Override
    public String clipboard() throws Failure {
        if (API >= 29) {
            throw new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE,
                    "since Android 10 only the app in the foreground can read the clipboard");
        }
        ClipData clip = clipboard.getPrimaryClip();
        if (clip == null || clip.getItemCount() == 0) return "";
        CharSequence text = clip.getItemAt(0).getText();
        return text == null ? "" : text.toString();
    }

    @Override
    public void setClipboard(String text) {
        clipboard.setPrimaryClip(ClipData.newPlainText("", text));
    }

    @Override
    public void rotate(int rotation) throws Failure {
        throw new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE, "an accessibility service cannot rotate the screen");
    }

    @Override
    public Listeners listeners() {
        return listeners;
    }

    @Override
    public void close() {
        listeners.clear();
    }
}
