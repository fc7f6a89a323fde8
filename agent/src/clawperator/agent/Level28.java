package clawperator.agent;

import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;

/** Calls that exist from API 28. */
final class Level28 {
    static CharSequence paneTitle(AccessibilityNodeInfo node) {
        return node.getPaneTitle();
    }

    static CharSequence tooltip(AccessibilityNodeInfo node) {
        return node.getTooltipText();
    }

    static boolean isHeading(AccessibilityNodeInfo node) {
        return node.isHeading();
    }

    static boolean isReaderFocusable(AccessibilityNodeInfo node) {
        return node.isScreenReaderFocusable();
    }

    static int scrolledX(AccessibilityEvent event) {
        return event.getScrollDeltaX();
    }

    static int scrolledY(AccessibilityEvent event) {
        return event.getScrollDeltaY();
    }

    private Level28() {}
}
