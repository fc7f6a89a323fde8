package clawperator.agent;

import android.graphics.Region;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;

/** Calls that exist from API 33. */
final class Level33 {
    /**
     * How nodes come in batches, in the order in which they are read. From this level on the app sends a batch after the node that
     * was asked for, and drops it when the next request comes, unless it is told not to.
     */
    private static final int BATCH = AccessibilityNodeInfo.FLAG_PREFETCH_DESCENDANTS_DEPTH_FIRST
            | AccessibilityNodeInfo.FLAG_PREFETCH_UNINTERRUPTIBLE;

    static AccessibilityNodeInfo root(AccessibilityWindowInfo window) {
        return window.getRoot(BATCH);
    }

    static AccessibilityNodeInfo child(AccessibilityNodeInfo node, int place) {
        return node.getChild(place, BATCH);
    }

    static CharSequence uniqueId(AccessibilityNodeInfo node) {
        return node.getUniqueId();
    }

    static void region(AccessibilityWindowInfo window, Region into) {
        window.getRegionInScreen(into);
    }

    private Level33() {}
}
