package clawperator.agent;

import android.accessibilityservice.AccessibilityService;
import android.os.Build;

/** Performs touches as gestures of the service, and keys that have a global action. */
final class ServiceInput implements Input {
    private final AccessibilityService service;

    ServiceInput(AccessibilityService service) {
        this.service = service;
    }

    @Override
    public void touch(int display, Touch touch, CancellationToken cancellation) throws Failure, InterruptedException {
        if (Build.VERSION.SDK_INT < 24) throw unsupported("touches by an accessibility service need Android 7");
        if (display != 0 && Build.VERSION.SDK_INT < 30) throw unsupported("input on other displays needs Android 11");
        // Before, the system plays ten positions of a gesture per second, too few to distinguish a resting finger from a moving one.
        if (touch.rest > 0 && Build.VERSION.SDK_INT < 30) throw unsupported("resting a finger after a movement needs Android 11");
        for (int[] path : touch.paths) {
            for (int coordinate : path) {
                if (coordinate < 0) throw unsupported("a gesture cannot leave the screen at the left or the top");
            }
        }
        ServiceLevel24.checkLimits(touch.paths.length, touch.millis());
        cancellation.check(Protocol.NOT_DONE);
        ServiceLevel24.play(service, display, new Touch(touch.hold, Math.max(1, touch.duration), touch.rest, touch.paths), cancellation);
    }

    @Override
    public void key(int display, int code, int meta, CancellationToken cancellation) throws Failure {
        int action = meta == 0 && display == 0 ? SystemKeys.action(code, Build.VERSION.SDK_INT) : 0;
        if (action == 0) {
            throw unsupported("an accessibility service cannot press key " + code + (meta == 0 ? "" : " with meta state " + meta)
                    + (display == 0 ? "" : " on display " + display));
        }
        cancellation.check(Protocol.NOT_DONE);
        if (!service.performGlobalAction(action)) {
            throw new Failure(Protocol.CODE_REFUSED, Protocol.NOT_DONE, "the system refused key " + code);
        }
    }

    static Failure unsupported(String message) {
        return new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE, message);
    }
}
