package clawperator.agent;

import android.graphics.Bitmap;
import android.util.SparseArray;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.List;

/** The phone as the agent sees it. Only background threads call it. */
interface Device {
    /** One of Protocol.FORM_*. */
    int form();

    /** The sum of Protocol.FEATURE_*. */
    int features();

    /** The size and density of a display, or null when there is no such display. */
    DisplayFacts display(int id);

    /** The windows by display. */
    SparseArray<List<AccessibilityWindowInfo>> windows() throws Failure;

    /** The root of the active window, for platforms that list no windows; may be null. */
    AccessibilityNodeInfo activeRoot() throws Failure;

    /** Forgets cached nodes; false when that is not possible, and each node is to be refreshed. */
    boolean clearCache();

    /** Injects touches and keys. */
    Input input();

    /**
     * Replaces the text of a field through its InputConnection, and gives it the focus for that. False when there is no such
     * connection; the text is then as it was.
     */
    boolean typeAsKeyboard(AccessibilityNodeInfo field, String text, Cancel cancel) throws Failure, InterruptedException;

    /** A picture of a display, or null when the system refuses. */
    Bitmap screenshot(int display) throws Failure;

    /** The text on the clipboard, empty for none. */
    String clipboard() throws Failure;

    void setClipboard(String text) throws Failure;

    /** Rotates display 0 by 0 to 3 quarter turns, or enables auto-rotation (Protocol.AUTO_ROTATION). */
    void rotate(int turns) throws Failure;

    /** The event listeners. */
    Listeners listeners();

    void close();

    /** Receives accessibility events. The platform recycles an event after the call, which must not block. */
    interface EventListener {
        void onEvent(AccessibilityEvent event);
    }
}
