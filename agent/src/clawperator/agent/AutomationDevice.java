package clawperator.agent;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.app.UiAutomation;
import android.graphics.Bitmap;
import android.os.Build;
import android.os.Looper;
import android.util.SparseArray;
import android.view.InputEvent;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.List;

/** Accesses the phone through a UiAutomation and hidden managers that the shell user may use. */
class AutomationDevice implements Device, Injector.EventSink {
    private final Looper looper;
    private UiAutomation automation;
    private final Injector injector = new Injector(this);
    private final Listeners listeners = new Listeners();

    /** `looper` belongs to a separate thread, on which the platform delivers the connection and events. */
    AutomationDevice(Looper looper) {
        this.looper = looper;
    }

    /** Connects to the UiAutomation of the phone. */
    synchronized void open() throws Failure {
        UiAutomation connected = connect(looper);
        AccessibilityServiceInfo info = connected.getServiceInfo();
        if (info != null) {
            info.eventTypes = AccessibilityEvent.TYPES_ALL_MASK;
            info.notificationTimeout = 0;
            info.flags |= AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS
                    | AccessibilityServiceInfo.FLAG_REPORT_VIEW_IDS
                    | AccessibilityServiceInfo.FLAG_INCLUDE_NOT_IMPORTANT_VIEWS;
            connected.setServiceInfo(info);
        }
        connected.setOnAccessibilityEventListener(new UiAutomation.OnAccessibilityEventListener() {
            @Override
            public void onAccessibilityEvent(AccessibilityEvent event) {
                listeners.onEvent(event);
            }
        });
        automation = connected;
    }

    UiAutomation connect(Looper looper) throws Failure {
        return Platform.connect(looper);
    }

    private synchronized UiAutomation automation() {
        return automation;
    }

    @Override
    public int form() {
        return Protocol.FORM_AGENT;
    }

    @Override
    public int features() {
        return Protocol.FEATURE_INPUT | Protocol.FEATURE_REST | Protocol.FEATURE_SCREENSHOTS | Protocol.FEATURE_ROTATION
                | (Clipboard.isAvailable() ? Protocol.FEATURE_CLIPBOARD : 0)
                | (Build.VERSION.SDK_INT >= 30 ? Protocol.FEATURE_EDITOR_ACTION : 0);
    }

    @Override
    public DisplayFacts display(int id) {
        return Platform.display(id);
    }

    @Override
    public SparseArray<List<AccessibilityWindowInfo>> windows() throws Failure {
        UiAutomation current = automation();
        try {
            SparseArray<List<AccessibilityWindowInfo>> windows = Platform.windows(current);
            if (windows.size() != 0 || current.getServiceInfo() != null) return windows;
        } catch (IllegalStateException e) {
            // Some versions throw when disconnected, others return nothing.
        }
        // The system ended the connection, for instance because the user was switched.
        open();
        return Platform.windows(automation());
    }

    @Override
    public AccessibilityNodeInfo activeRoot() {
        return automation().getRootInActiveWindow();
    }

    @Override
    public boolean clearCache() {
        return Platform.clearCache(automation());
    }

    @Override
    public Input input() {
        return injector;
    }

    @Override
    public boolean inject(InputEvent event, int display, boolean wait) throws Failure {
        return Platform.inject(event, display, wait);
    }

    @Override
    public boolean typeAsKeyboard(AccessibilityNodeInfo field, String text, CancellationToken cancellation) {
        return false;
    }

    @Override
    public Bitmap screenshot(int display) throws Failure {
        if (display != 0) throw new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE, "only display 0 supports screenshots");
        return automation().takeScreenshot();
    }

    @Override
    public String clipboard() throws Failure {
        return Clipboard.read();
    }

    @Override
    public void setClipboard(String text) throws Failure {
        Clipboard.write(text);
    }

    @Override
    public void rotate(int rotation) throws Failure {
        int constant = rotation == Protocol.AUTO_ROTATION ? UiAutomation.ROTATION_UNFREEZE : rotation;
        if (!automation().setRotation(constant)) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the system did not rotate the screen");
        }
    }

    @Override
    public Listeners listeners() {
        return listeners;
    }

    @Override
    public void close() {
        listeners.clear();
        try {
            Platform.disconnect(automation());
        } catch (RuntimeException ignored) {
            // It was already disconnected.
        }
    }
}
