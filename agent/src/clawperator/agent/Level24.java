package clawperator.agent;

import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;

/** Calls that exist from API 24. Classes named Level* are loaded only on versions that have these calls. */
final class Level24 {
    static CharSequence title(AccessibilityWindowInfo window) {
        return window.getTitle();
    }

    static boolean isImportant(AccessibilityNodeInfo node) {
        return node.isImportantForAccessibility();
    }

    private Level24() {}
}
