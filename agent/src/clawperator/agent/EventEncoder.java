package clawperator.agent;

import android.app.Notification;
import android.os.Build;
import android.os.Bundle;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import java.util.ArrayList;
import java.util.List;

/** Encodes accessibility events. */
final class EventEncoder {
    /** Event types whose content may be sent. */
    static final int SENT_TYPES = AccessibilityEvent.TYPE_VIEW_CLICKED | AccessibilityEvent.TYPE_VIEW_LONG_CLICKED
            | AccessibilityEvent.TYPE_VIEW_TEXT_CHANGED | AccessibilityEvent.TYPE_WINDOW_STATE_CHANGED
            | AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED | AccessibilityEvent.TYPE_VIEW_SCROLLED
            | Protocol.KEY_PRESSED;
    private static final int TYPES_WITH_NODE = SENT_TYPES & ~(AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED | Protocol.KEY_PRESSED);
    private static final int MAX_TEXTS = 32;
    private static final int MAX_TEXT_LENGTH = 10000;

    /** The body of the message; `age` is in ms. Requests the node from the app. */
    static BodyWriter encode(AccessibilityEvent event, long number, long lost, long age) {
        BodyWriter body = new BodyWriter(256).uint(Protocol.APP_EVENT).uint(number).uint(lost).uint(age)
                .uint(event.getEventType());
        put(body, event.getPackageName());
        put(body, event.getClassName());
        List<CharSequence> texts = texts(event);
        body.uint(texts.size());
        for (CharSequence text : texts) put(body, text);
        put(body, event.getContentDescription());
        body.uint(event.isPassword() ? 1 : 0);
        body.integer(event.getScrollX()).integer(event.getScrollY());
        body.integer(event.getMaxScrollX()).integer(event.getMaxScrollY());
        int x = Build.VERSION.SDK_INT >= 28 ? Level28.scrolledX(event) : -1;
        int y = Build.VERSION.SDK_INT >= 28 ? Level28.scrolledY(event) : -1;
        // Both are -1 if the app does not report them.
        boolean unknown = x == -1 && y == -1;
        body.integer(unknown ? 0 : x).integer(unknown ? 0 : y);
        AccessibilityNodeInfo node = (event.getEventType() & TYPES_WITH_NODE) == 0 ? null : source(event);
        body.uint(node == null ? 0 : 1);
        if (node != null) putNode(body, node);
        return body;
    }

    private static List<CharSequence> texts(AccessibilityEvent event) {
        List<CharSequence> texts = new ArrayList<CharSequence>();
        if (event.isPassword()) return texts;
        for (CharSequence text : event.getText()) add(texts, text);
        if (texts.isEmpty() && event.getParcelableData() instanceof Notification) {
            Bundle extras = ((Notification) event.getParcelableData()).extras;
            if (extras != null) {
                add(texts, extras.getCharSequence(Notification.EXTRA_TITLE));
                add(texts, extras.getCharSequence(Notification.EXTRA_TEXT));
            }
        }
        return texts;
    }

    private static void add(List<CharSequence> texts, CharSequence text) {
        if (text != null && text.length() > 0 && texts.size() < MAX_TEXTS) texts.add(text);
    }

    /** The node, or null if it no longer exists. */
    private static AccessibilityNodeInfo source(AccessibilityEvent event) {
        try {
            AccessibilityNodeInfo node = event.getSource();
            // On Android 6 the node in the event has no id; a refreshed node has it.
            if (node != null && Build.VERSION.SDK_INT < 24) node.refresh();
            return node;
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static void putNode(BodyWriter body, AccessibilityNodeInfo node) {
        NodeRecord record = new NodeReader().describe(node);
        body.integer(node.getWindowId());
        put(body, record.texts[NodeRecord.CLASS]);
        put(body, record.texts[NodeRecord.RESOURCE]);
        put(body, node.isPassword() ? null : record.texts[NodeRecord.TEXT]);
        put(body, record.texts[NodeRecord.DESCRIPTION]);
        body.uint(record.flags).integer(record.left).integer(record.top);
        body.integer(record.right - record.left).integer(record.bottom - record.top);
    }

    private static void put(BodyWriter body, CharSequence text) {
        String all = text == null ? "" : text.toString();
        body.text(all.length() > MAX_TEXT_LENGTH ? all.substring(0, MAX_TEXT_LENGTH) : all);
    }

    private EventEncoder() {}
}
