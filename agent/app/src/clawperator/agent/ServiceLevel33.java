package clawperator.agent;

import android.accessibilityservice.AccessibilityService;
import android.accessibilityservice.AccessibilityServiceInfo;
import android.accessibilityservice.InputMethod;
import android.accessibilityservice.InputMethod.AccessibilityInputConnection;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.inputmethod.EditorInfo;

/** Calls of the app that exist from API 33. */
final class ServiceLevel33 {
    /** Lets the service enter text through the input connection of a field. */
    static final int INPUT_METHOD_FLAG = AccessibilityServiceInfo.FLAG_INPUT_METHOD_EDITOR;

    /** Timeout for the input connection after a field got the focus. */
    private static final long CONNECTION_TIMEOUT_NANOS = 500000000L;
    private static final long CONNECTION_POLL_NANOS = 10000000L;

    static boolean clearCache(AccessibilityService service) {
        return service.clearCache();
    }

    static boolean typeAsKeyboard(AccessibilityService service, AccessibilityNodeInfo field, String text, CancellationToken cancellation)
            throws Failure, InterruptedException {
        InputMethod method = service.getInputMethod();
        if (method == null) return false;
        // Each input session has its own EditorInfo; this one belongs to the previously focused field.
        EditorInfo previous = field.isFocused() ? null : method.getCurrentInputEditorInfo();
        NodeActions.focus(field);
        if (!field.refresh() || !field.isFocused()) return false;
        long end = System.nanoTime() + CONNECTION_TIMEOUT_NANOS;
        while (true) {
            EditorInfo editor = method.getCurrentInputEditorInfo();
            AccessibilityInputConnection connection = method.getCurrentInputConnection();
            if (connection != null && editor != previous && isOf(editor, field)) {
                replace(connection, field, text);
                return true;
            }
            if (System.nanoTime() >= end) return false;
            if (!cancellation.waitUntil(System.nanoTime() + CONNECTION_POLL_NANOS)) cancellation.check(Protocol.NOT_DONE);
        }
    }

    private static boolean isOf(EditorInfo editor, AccessibilityNodeInfo field) {
        return editor != null && field.getPackageName() != null && field.getPackageName().toString().equals(editor.packageName)
                && field.getInputType() == editor.inputType;
    }

    private static void replace(AccessibilityInputConnection connection, AccessibilityNodeInfo field, String text) {
        CharSequence old = field.isShowingHintText() ? null : field.getText();
        connection.setSelection(0, old == null ? 0 : old.length());
        // A field may hold more than it shows.
        connection.performContextMenuAction(android.R.id.selectAll);
        connection.commitText(text, 1, null);
    }

    private ServiceLevel33() {}
}
