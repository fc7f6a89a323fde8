package clawperator.agent;

import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.List;

/** Calls that exist from API 26. */
final class Level26 {
    static CharSequence hint(AccessibilityNodeInfo node) {
        return node.getHintText();
    }

    static boolean showsHint(AccessibilityNodeInfo node) {
        return node.isShowingHintText();
    }

    static boolean isPictureInPicture(AccessibilityWindowInfo window) {
        return window.isInPictureInPictureMode();
    }

    /** Has the app add an extra that it names but does not send by itself. */
    static boolean fetchExtra(AccessibilityNodeInfo node, String key) {
        List<String> offered = node.getAvailableExtraData();
        return offered != null && offered.contains(key) && node.refreshWithExtraData(key, new Bundle());
    }

    private Level26() {}
}
