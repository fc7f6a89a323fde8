package clawperator.agent;

import android.graphics.Region;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;

/** Calls that exist from API 33. */
final class Level33 {
    static CharSequence uniqueId(AccessibilityNodeInfo node) {
        return node.getUniqueId();
    }

    static void region(AccessibilityWindowInfo window, Region into) {
        window.getRegionInScreen(into);
    }

    private Level33() {}
}
