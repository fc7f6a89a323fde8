package clawperator.agent;

import android.app.UiAutomation;
import android.util.SparseArray;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.List;

/** Calls that exist from API 30. */
final class Level30 {
    static SparseArray<List<AccessibilityWindowInfo>> windows(UiAutomation automation) {
        return automation.getWindowsOnAllDisplays();
    }

    static CharSequence state(AccessibilityNodeInfo node) {
        return node.getStateDescription();
    }

    private Level30() {}
}
