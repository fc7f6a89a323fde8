package clawperator.agent;

import android.os.SystemClock;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;

/** Decodes requests, has them carried out, and encodes the answers. */
final class Requests {
    private final Device device;
    private final NodeStore store = new NodeStore();
    private final Observer observer;
    private final NodeActions actions;

    Requests(Device device) {
        this.device = device;
        observer = new Observer(device, store);
        actions = new NodeActions(device);
    }

    long revision() {
        return observer.revision();
    }

    /** Runs a request; an exception ends only the request. */
    BodyWriter run(int kind, BodyReader body, Cancel cancel, Changes changes) throws Failure {
        int dispatch = Protocol.NOT_DONE;
        try {
            switch (kind) {
                case Protocol.OBSERVE:
                    return observe(body, cancel, changes);
                case Protocol.SCREENSHOT:
                    return screenshot(body);
                case Protocol.ACT:
                case Protocol.TOUCH:
                case Protocol.KEY:
                case Protocol.CLIPBOARD:
                case Protocol.ROTATE:
                    dispatch = Protocol.UNKNOWN;
                    return change(kind, body, cancel);
                default:
                    throw Failure.malformed("there is no request of kind " + kind);
            }
        } catch (Throwable thrown) {
            throw Failure.of(thrown, dispatch);
        }
    }

    private BodyWriter observe(BodyReader body, Cancel cancel, Changes changes) throws Failure {
        int display = body.uint("display", Integer.MAX_VALUE);
        long known = body.uint();
        body.end();
        changes.arm();
        return observer.observe(display, known, cancel);
    }

    private BodyWriter screenshot(BodyReader body) throws Failure {
        int display = body.uint("display", Integer.MAX_VALUE);
        int quality = body.uint("JPEG quality", Screenshots.BEST_QUALITY);
        int longest = body.uint("longest side", Integer.MAX_VALUE);
        body.end();
        return Screenshots.take(device, display, quality, longest);
    }

    private BodyWriter change(int kind, BodyReader body, Cancel cancel) throws Failure, InterruptedException {
        switch (kind) {
            case Protocol.ACT:
                return act(body, cancel);
            case Protocol.TOUCH:
                return touch(body, cancel);
            case Protocol.KEY:
                return key(body, cancel);
            case Protocol.ROTATE:
                return rotate(body);
            default:
                return clipboard(body);
        }
    }

    private BodyWriter act(BodyReader body, Cancel cancel) throws Failure, InterruptedException {
        long revision = body.uint();
        int place = body.uint("node", Integer.MAX_VALUE);
        int action = body.uint("action", Integer.MAX_VALUE);
        String argument = body.text();
        body.end();
        NodeActions.check(action);
        AccessibilityNodeInfo node;
        try {
            node = store.find(revision, place);
        } catch (RuntimeException e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
        cancel.check(Protocol.NOT_DONE);
        String text = actions.act(node, action, argument, cancel);
        return text == null ? new BodyWriter().uint(0) : new BodyWriter().uint(1).text(text);
    }

    private BodyWriter touch(BodyReader body, Cancel cancel) throws Failure, InterruptedException {
        int display = body.uint("display", Integer.MAX_VALUE);
        int duration = body.uint("duration", Input.LONGEST_TOUCH);
        int rest = body.uint("rest", Input.LONGEST_TOUCH);
        int[][] paths = new int[body.uint("the number of pointers", Input.MOST_POINTERS)][];
        if (paths.length == 0) throw Failure.malformed("a touch without pointers");
        for (int i = 0; i < paths.length; i++) {
            paths[i] = new int[2 * body.uint("the number of points", Input.MOST_POINTS)];
            if (paths[i].length == 0) throw Failure.malformed("a pointer without points");
            for (int at = 0; at < paths[i].length; at++) paths[i][at] = body.coordinate();
        }
        body.end();
        device.input().touch(display, duration, rest, paths, cancel);
        return new BodyWriter();
    }

    private BodyWriter key(BodyReader body, Cancel cancel) throws Failure {
        int display = body.uint("display", Integer.MAX_VALUE);
        int code = body.uint("key code", Integer.MAX_VALUE);
        int meta = body.uint("meta state", Integer.MAX_VALUE);
        body.end();
        long time = SystemClock.uptimeMillis();
        device.input().key(display, code, meta, cancel);
        // Apps send no event of a key. One with modifiers is a shortcut, which listeners do not know.
        if (meta != 0) return new BodyWriter();
        AccessibilityEvent event = AccessibilityEvent.obtain(Protocol.KEY_PRESSED);
        event.setEventTime(time);
        event.getText().add(Integer.toString(code));
        device.listeners().onEvent(event);
        return new BodyWriter();
    }

    private BodyWriter rotate(BodyReader body) throws Failure {
        int turns = body.uint("rotation", Protocol.AUTO_ROTATION);
        body.end();
        device.rotate(turns);
        return new BodyWriter();
    }

    private BodyWriter clipboard(BodyReader body) throws Failure {
        boolean set = body.uint("flag", 1) == 1;
        String text = body.text();
        body.end();
        if (!set) return new BodyWriter().text(device.clipboard());
        device.setClipboard(text);
        return new BodyWriter().text(text);
    }
}
