package clawperator.agent;

import android.os.Build;
import android.os.Bundle;
import android.view.KeyEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction;

/** Actions on nodes. */
final class NodeActions {
    /** Ids of actions that are resources of the platform; they are stable. */
    static final int SHOW_ON_SCREEN = 0x01020036;
    static final int SCROLL_UP = 0x01020038;
    static final int SCROLL_LEFT = 0x01020039;
    static final int SCROLL_DOWN = 0x0102003a;
    static final int SCROLL_RIGHT = 0x0102003b;
    static final int SET_PROGRESS = 0x0102003d;
    /** `ACTION_ARGUMENT_PROGRESS_VALUE` of API 24. */
    private static final String PROGRESS_VALUE = "android.view.accessibility.action.ARGUMENT_PROGRESS_VALUE";
    /** ACTION_IME_ENTER, from API 30. */
    static final int EDITOR_ACTION = 0x01020054;

    static final int CLICK = 1;
    static final int LONG_CLICK = 2;
    static final int FOCUS = 3;
    static final int SET_TEXT = 4;
    static final int SUBMIT = 5;
    static final int FORWARD = 6;
    static final int BACKWARD = 7;
    static final int SHOW = 8;

    /** The platform also returns false if the app does not answer within 5 s. */
    private static final long NO_ANSWER_NANOS = 4900000000L;
    /** Timeout for a new text to appear in the node; some toolkits need a frame. */
    private static final long TEXT_TIMEOUT_NANOS = 400000000L;
    private static final long TEXT_POLL_NANOS = 20000000L;

    private final Device device;

    NodeActions(Device device) {
        this.device = device;
    }

    /** Fails if the protocol has no such action. */
    static void check(int action) throws Failure {
        if (action < CLICK || action > SHOW) throw Failure.malformed("there is no action " + action);
    }

    /** Performs an action on a refreshed node; returns its new text, or null. */
    String act(AccessibilityNodeInfo node, int action, String argument, CancellationToken cancellation) throws Failure, InterruptedException {
        switch (action) {
            case CLICK:
                perform(node, AccessibilityNodeInfo.ACTION_CLICK, null);
                return null;
            case LONG_CLICK:
                perform(node, AccessibilityNodeInfo.ACTION_LONG_CLICK, null);
                return null;
            case FOCUS:
                focus(node);
                return null;
            case SET_TEXT:
                return setText(node, argument, cancellation);
            case SUBMIT:
                submit(node, cancellation);
                return null;
            case FORWARD:
                perform(node, AccessibilityNodeInfo.ACTION_SCROLL_FORWARD, null);
                return null;
            case BACKWARD:
                perform(node, AccessibilityNodeInfo.ACTION_SCROLL_BACKWARD, null);
                return null;
            default:
                perform(node, SHOW_ON_SCREEN, null);
                return null;
        }
    }

    static void focus(AccessibilityNodeInfo node) throws Failure {
        // Focusing a focused node returns false.
        if (!node.isFocused()) perform(node, AccessibilityNodeInfo.ACTION_FOCUS, null);
    }

    private String setText(AccessibilityNodeInfo node, String text, CancellationToken cancellation) throws Failure, InterruptedException {
        if (!node.isEditable() && offers(node, SET_PROGRESS)) {
            setProgress(node, text);
            return null;
        }
        Bundle arguments = new Bundle();
        arguments.putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, text);
        if (!tryPerform(node, AccessibilityNodeInfo.ACTION_SET_TEXT, arguments) && !device.typeAsKeyboard(node, text, cancellation)) paste(node, text);
        return readBack(node, text, cancellation);
    }

    /** Sets the value of a slider; sliders support this from API 24. */
    private static void setProgress(AccessibilityNodeInfo node, String number) throws Failure {
        float value;
        try {
            value = Float.parseFloat(number);
        } catch (NumberFormatException e) {
            throw Failure.malformed("a slider takes a number");
        }
        Bundle arguments = new Bundle();
        arguments.putFloat(PROGRESS_VALUE, value);
        perform(node, SET_PROGRESS, arguments);
    }

    /** Pastes the text; the clipboard is restored afterwards. */
    private void paste(AccessibilityNodeInfo node, String text) throws Failure {
        focus(node);
        Bundle selection = new Bundle();
        CharSequence old = node.getText();
        selection.putInt(AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_START_INT, 0);
        selection.putInt(AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_END_INT, old == null ? 0 : old.length());
        tryPerform(node, AccessibilityNodeInfo.ACTION_SET_SELECTION, selection);
        String saved = device.clipboard();
        device.setClipboard(text);
        try {
            perform(node, AccessibilityNodeInfo.ACTION_PASTE, null);
        } finally {
            device.setClipboard(saved);
        }
    }

    /** Waits until the node has the text; returns its text, also after the timeout. */
    private static String readBack(AccessibilityNodeInfo node, String text, CancellationToken cancellation) throws InterruptedException {
        long end = System.nanoTime() + TEXT_TIMEOUT_NANOS;
        while (true) {
            if (!node.refresh()) return null;
            boolean hint = Build.VERSION.SDK_INT >= 26 && Level26.showsHint(node);
            CharSequence now = hint ? null : node.getText();
            String actual = now == null ? "" : now.toString();
            boolean set = node.isPassword() ? actual.length() == text.length() : actual.equals(text);
            if (set || System.nanoTime() >= end || !cancellation.waitUntil(System.nanoTime() + TEXT_POLL_NANOS)) return actual;
        }
    }

    private void submit(AccessibilityNodeInfo node, CancellationToken cancellation) throws Failure, InterruptedException {
        // Widgets offer the editor action only while they have the focus.
        focus(node);
        node.refresh();
        if (offers(node, EDITOR_ACTION) && tryPerform(node, EDITOR_ACTION, null)) return;
        device.input().key(0, KeyEvent.KEYCODE_ENTER, 0, cancellation);
    }

    private static boolean offers(AccessibilityNodeInfo node, int id) {
        for (AccessibilityAction action : node.getActionList()) {
            if (action.getId() == id) return true;
        }
        return false;
    }

    private static void perform(AccessibilityNodeInfo node, int action, Bundle arguments) throws Failure {
        if (!tryPerform(node, action, arguments)) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the app refused the action");
        }
    }

    /** Whether the app performed the action; fails with an unknown outcome if the app does not answer. */
    private static boolean tryPerform(AccessibilityNodeInfo node, int action, Bundle arguments) throws Failure {
        long began = System.nanoTime();
        boolean done = arguments == null ? node.performAction(action) : node.performAction(action, arguments);
        if (!done && System.nanoTime() - began >= NO_ANSWER_NANOS) {
            throw new Failure(Protocol.CODE_FAILED, Protocol.UNKNOWN, "the app did not answer within 5 s");
        }
        return done;
    }
}
