package clawperator.agent;

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

    private Level28() {}
}
