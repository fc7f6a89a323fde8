package clawperator.agent;

import android.graphics.Rect;
import android.os.Build;
import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction;
import android.view.accessibility.AccessibilityNodeInfo.CollectionInfo;
import android.view.accessibility.AccessibilityNodeInfo.CollectionItemInfo;
import android.view.accessibility.AccessibilityNodeInfo.RangeInfo;

/** Reads the data of a node of the platform. */
final class NodeReader {
    private static final int API = Build.VERSION.SDK_INT;
    private static final String TEST_TAG = "androidx.compose.ui.semantics.testTag";
    private static final int MAX_EXTRAS = 16;
    private static final int MAX_EXTRA_LENGTH = 1000;
    private final Rect rectangle = new Rect();

    NodeRecord read(AccessibilityNodeInfo node, int children) {
        NodeRecord record = describe(node);
        record.children = children;
        readNumbers(node, record);
        for (AccessibilityAction action : node.getActionList()) record.actions |= actionBit(action.getId());
        readExtras(node, record);
        return record;
    }

    /** The bounds, flags and texts of a node. */
    NodeRecord describe(AccessibilityNodeInfo node) {
        NodeRecord record = new NodeRecord();
        node.getBoundsInScreen(rectangle);
        record.left = rectangle.left;
        record.top = rectangle.top;
        record.right = rectangle.right;
        record.bottom = rectangle.bottom;
        readFlags(node, record);
        readTexts(node, record);
        return record;
    }

    private static void readFlags(AccessibilityNodeInfo node, NodeRecord record) {
        record.set(0, node.isEnabled());
        record.set(1, node.isVisibleToUser());
        record.set(2, node.isClickable());
        record.set(3, node.isLongClickable());
        record.set(4, node.isFocusable());
        record.set(5, node.isFocused());
        record.set(6, node.isCheckable());
        record.set(7, node.isChecked());
        record.set(8, node.isSelected());
        record.set(9, node.isScrollable());
        record.set(10, node.isPassword());
        record.set(11, node.isEditable());
        record.set(12, API >= 28 ? Level28.isHeading(node) : isOldHeading(node));
        record.set(13, API >= 26 && Level26.showsHint(node));
        record.set(14, node.isAccessibilityFocused());
        record.set(15, node.isDismissable());
        record.set(16, node.isMultiLine());
        record.set(17, node.isContentInvalid());
        record.set(18, API >= 24 && Level24.isImportant(node));
        record.set(19, API >= 28 && Level28.isReaderFocusable(node));
        record.set(20, Platform.isPartiallyChecked(node));
    }

    /** Before API 28, only items of collections can be headings. */
    private static boolean isOldHeading(AccessibilityNodeInfo node) {
        CollectionItemInfo item = node.getCollectionItemInfo();
        return item != null && item.isHeading();
    }

    private static void readTexts(AccessibilityNodeInfo node, NodeRecord record) {
        record.put(NodeRecord.CLASS, node.getClassName());
        record.put(NodeRecord.PACKAGE, node.getPackageName());
        record.put(NodeRecord.RESOURCE, node.getViewIdResourceName());
        CharSequence text = node.getText();
        if (API >= 26) {
            CharSequence hint = Level26.hint(node);
            boolean shown = Level26.showsHint(node);
            record.put(NodeRecord.TEXT, shown ? null : text);
            record.put(NodeRecord.HINT, shown && hint == null ? text : hint);
        } else {
            record.put(NodeRecord.TEXT, text);
        }
        record.put(NodeRecord.DESCRIPTION, node.getContentDescription());
        if (API >= 30) record.put(NodeRecord.STATE, Level30.state(node));
        record.put(NodeRecord.ERROR, node.getError());
        if (API >= 28) {
            record.put(NodeRecord.PANE, Level28.paneTitle(node));
            record.put(NodeRecord.TOOLTIP, Level28.tooltip(node));
        }
        if (API >= 33) record.put(NodeRecord.UNIQUE, Level33.uniqueId(node));
    }

    private static void readNumbers(AccessibilityNodeInfo node, NodeRecord record) {
        record.inputType = node.getInputType();
        record.maxTextLength = node.getMaxTextLength();
        record.liveRegion = node.getLiveRegion();
        record.selectionStart = node.getTextSelectionStart();
        record.selectionEnd = node.getTextSelectionEnd();
        CollectionInfo collection = node.getCollectionInfo();
        if (collection != null) {
            record.collection = new int[] {
                collection.getRowCount(), collection.getColumnCount(), Math.max(0, collection.getSelectionMode())
            };
        }
        CollectionItemInfo item = node.getCollectionItemInfo();
        if (item != null) {
            record.item = new int[] {item.getRowIndex(), item.getRowSpan(), item.getColumnIndex(), item.getColumnSpan()};
        }
        RangeInfo range = node.getRangeInfo();
        if (range != null) {
            record.rangeType = Math.max(0, range.getType());
            record.range = new float[] {range.getMin(), range.getMax(), range.getCurrent()};
        }
    }

    private static long actionBit(int id) {
        if (id > 0 && id <= AccessibilityNodeInfo.ACTION_SET_TEXT && (id & id - 1) == 0) return id;
        switch (id) {
            case NodeActions.SHOW_ON_SCREEN: return 1L << 32;
            case NodeActions.SCROLL_UP: return 1L << 33;
            case NodeActions.SCROLL_DOWN: return 1L << 34;
            case NodeActions.SCROLL_LEFT: return 1L << 35;
            case NodeActions.SCROLL_RIGHT: return 1L << 36;
            case NodeActions.EDITOR_ACTION: return 1L << 37;
            case NodeActions.SET_PROGRESS: return 1L << 38;
            default: return 0;
        }
    }

    private static void readExtras(AccessibilityNodeInfo node, NodeRecord record) {
        try {
            if (API >= 26) Level26.fetchExtra(node, TEST_TAG);
            Bundle extras = node.getExtras();
            if (extras == null || extras.isEmpty()) return;
            for (String key : new java.util.TreeSet<String>(extras.keySet())) {
                Object value = extras.get(key);
                boolean plain = value instanceof CharSequence || value instanceof Boolean || value instanceof Number;
                if (!plain || record.extras.size() >= 2 * MAX_EXTRAS) continue;
                String text = value.toString();
                record.extras.add(key);
                record.extras.add(text.length() > MAX_EXTRA_LENGTH ? text.substring(0, MAX_EXTRA_LENGTH) : text);
            }
        } catch (RuntimeException ignored) {
            // Extras may contain classes that only the app has.
            record.extras.clear();
        }
    }
}
