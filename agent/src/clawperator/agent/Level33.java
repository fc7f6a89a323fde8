package clawperator.agent;

import android.graphics.Region;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;

/** Calls that exist from API 33. */
final class Level33 {
    /** The app sends prefetched nodes after the requested one; the next request interrupts them unless the prefetch flag forbids it. */
    private static final int PREFETCH = AccessibilityNodeInfo.FLAG_PREFETCH_DESCENDANTS_DEPTH_FIRST
            | AccessibilityNodeInfo.FLAG_PREFETCH_UNINTERRUPTIBLE;

    static AccessibilityNodeInfo root(AccessibilityWindowInfo window) {
        return window.getRoot(PREFETCH);
    }

    static AccessibilityNodeInfo child(AccessibilityNodeInfo node, int index) {
        return node.getChild(index, PREFETCH);
    }

    static CharSequence uniqueId(AccessibilityNodeInfo node) {
        return node.getUniqueId();
    }

    static void region(AccessibilityWindowInfo window, Region into) {
        window.getRegionInScreen(into);
    }

    private Level33() {}
}
