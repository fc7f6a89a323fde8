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

    /** Requests extra data that the app offers but does not send by default. */
    static boolean fetchExtra(AccessibilityNodeInfo node, String key) {
        List<String> available = node.getAvailableExtraData();
        return available != null && available.contains(key) && node.refreshWithExtraData(key, new Bundle());
    }

    private Level26() {}
}
