package clawperator.agent;

import android.os.SystemClock;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;

/** Decodes requests, executes them, and encodes the answers. */
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

    /** Executes a request; an exception ends only the request. */
    BodyWriter run(int kind, BodyReader body, CancellationToken cancellation, ChangeNotifier notifier) throws Failure {
        int dispatch = Protocol.NOT_DONE;
        try {
            switch (kind) {
                case Protocol.OBSERVE:
                    return observe(body, cancellation, notifier);
                case Protocol.SCREENSHOT:
                    return screenshot(body);
                case Protocol.ACT:
                case Protocol.TOUCH:
                case Protocol.KEY:
                case Protocol.CLIPBOARD:
                case Protocol.ROTATE:
                    dispatch = Protocol.UNKNOWN;
                    return change(kind, body, cancellation);
                default:
                    throw Failure.malformed("there is no request of kind " + kind);
            }
        } catch (Throwable thrown) {
            throw Failure.of(thrown, dispatch);
        }
    }

    private BodyWriter observe(BodyReader body, CancellationToken cancellation, ChangeNotifier notifier) throws Failure {
        int display = body.uint("display", Integer.MAX_VALUE);
        long known = body.uint();
        body.end();
        notifier.arm();
        return observer.observe(display, known, cancellation);
    }

    private BodyWriter screenshot(BodyReader body) throws Failure {
        int display = body.uint("display", Integer.MAX_VALUE);
        int quality = body.uint("JPEG quality", Screenshots.MAX_QUALITY);
        int maxSide = body.uint("longest side", Integer.MAX_VALUE);
        body.end();
        return Screenshots.take(device, display, quality, maxSide);
    }

    private BodyWriter change(int kind, BodyReader body, CancellationToken cancellation) throws Failure, InterruptedException {
        switch (kind) {
            case Protocol.ACT:
                return act(body, cancellation);
            case Protocol.TOUCH:
                return touch(body, cancellation);
            case Protocol.KEY:
                return key(body, cancellation);
            case Protocol.ROTATE:
                return rotate(body);
            default:
                return clipboard(body);
        }
    }

    private BodyWriter act(BodyReader body, CancellationToken cancellation) throws Failure, InterruptedException {
        long revision = body.uint();
        int index = body.uint("node", Integer.MAX_VALUE);
        int action = body.uint("action", Integer.MAX_VALUE);
        String argument = body.text();
        body.end();
        NodeActions.check(action);
        AccessibilityNodeInfo node;
        try {
            node = store.find(revision, index);
        } catch (RuntimeException e) {
            throw Failure.of(e, Protocol.NOT_DONE);
        }
        cancellation.check(Protocol.NOT_DONE);
        String text = actions.act(node, action, argument, cancellation);
        return text == null ? new BodyWriter().uint(0) : new BodyWriter().uint(1).text(text);
    }

    private BodyWriter touch(BodyReader body, CancellationToken cancellation) throws Failure, InterruptedException {
        int display = body.uint("display", Integer.MAX_VALUE);
        int hold = body.uint("hold", Input.MAX_TOUCH_MS);
        int duration = body.uint("duration", Input.MAX_TOUCH_MS);
        int rest = body.uint("rest", Input.MAX_TOUCH_MS);
        int[][] paths = new int[body.uint("the number of pointers", Input.MAX_POINTERS)][];
        if (paths.length == 0) throw Failure.malformed("a touch without pointers");
        for (int i = 0; i < paths.length; i++) {
            paths[i] = new int[2 * body.uint("the number of points", Input.MAX_POINTS)];
            if (paths[i].length == 0) throw Failure.malformed("a pointer without points");
            for (int at = 0; at < paths[i].length; at++) paths[i][at] = body.coordinate();
        }
        body.end();
        device.input().touch(display, new Touch(hold, duration, rest, paths), cancellation);
        return new BodyWriter();
    }

    private BodyWriter key(BodyReader body, CancellationToken cancellation) throws Failure {
        int display = body.uint("display", Integer.MAX_VALUE);
        int code = body.uint("key code", Integer.MAX_VALUE);
        int meta = body.uint("meta state", Integer.MAX_VALUE);
        body.end();
        long time = SystemClock.uptimeMillis();
        device.input().key(display, code, meta, cancellation);
        // Apps send no events for keys. Keys with modifiers are shortcuts, which listeners do not support.
        if (meta != 0) return new BodyWriter();
        AccessibilityEvent event = AccessibilityEvent.obtain(Protocol.KEY_PRESSED);
        event.setEventTime(time);
        event.getText().add(Integer.toString(code));
        device.listeners().onEvent(event);
        return new BodyWriter();
    }

    private BodyWriter rotate(BodyReader body) throws Failure {
        int rotation = body.uint("rotation", Protocol.AUTO_ROTATION);
        body.end();
        device.rotate(rotation);
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
