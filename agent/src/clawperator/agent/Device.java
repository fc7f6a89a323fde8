package clawperator.agent;

import android.graphics.Bitmap;
import android.util.SparseArray;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.List;

/** Access to the phone. It is called only on background threads. */
interface Device {
    /** One of Protocol.FORM_*. */
    int form();

    /** The sum of Protocol.FEATURE_*. */
    int features();

    /** The size and density of a display, or null if it does not exist. */
    DisplayFacts display(int id);

    /** The windows by display. */
    SparseArray<List<AccessibilityWindowInfo>> windows() throws Failure;

    /** The root of the active window, for platforms that list no windows, or null. */
    AccessibilityNodeInfo activeRoot() throws Failure;

    /** Clears cached nodes; false if that is not possible and each node must be refreshed. */
    boolean clearCache();

    /** Injects touches and keys. */
    Input input();

    /** Focuses a field and replaces its text through its InputConnection. False without such a connection; the text is then unchanged. */
    boolean typeAsKeyboard(AccessibilityNodeInfo field, String text, CancellationToken cancellation) throws Failure, InterruptedException;

    /** A screenshot of a display, or null if the system refuses. */
    Bitmap screenshot(int display) throws Failure;

    /** The text on the clipboard, or an empty string. */
    String clipboard() throws Failure;

    void setClipboard(String text) throws Failure;

    /** Rotates display 0 by 0 to 3 quarter turns, or enables auto-rotation (Protocol.AUTO_ROTATION). */
    void rotate(int rotation) throws Failure;

    /** The event listeners. */
    Listeners listeners();

    void close();

    /** Receives accessibility events. The platform recycles an event after the call, which must not block. */
    interface EventListener {
        void onEvent(AccessibilityEvent event);
    }
}
