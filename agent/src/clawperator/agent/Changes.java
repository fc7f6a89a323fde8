package clawperator.agent;

import android.view.accessibility.AccessibilityEvent;
import java.io.IOException;

/**
 * Tells the client once after each observation that the screen may have changed. Events come on a thread of the platform, which
 * must not wait for the client; a thread of its own sends.
 */
final class Changes implements Device.EventListener {
    /** Events that say nothing about the screen. */
    private static final int NO_CHANGE = AccessibilityEvent.TYPE_VIEW_HOVER_ENTER | AccessibilityEvent.TYPE_VIEW_HOVER_EXIT
            | AccessibilityEvent.TYPE_TOUCH_EXPLORATION_GESTURE_START | AccessibilityEvent.TYPE_TOUCH_EXPLORATION_GESTURE_END
            | AccessibilityEvent.TYPE_GESTURE_DETECTION_START | AccessibilityEvent.TYPE_GESTURE_DETECTION_END
            | AccessibilityEvent.TYPE_TOUCH_INTERACTION_START | AccessibilityEvent.TYPE_TOUCH_INTERACTION_END;

    private final FrameWriter writer;
    /** An observation began, and nothing was sent since. */
    private boolean armed;
    /** Its answer was sent. */
    private boolean answered;
    private boolean ended;
    private int types;

    Changes(FrameWriter writer) {
        this.writer = writer;
    }

    /** An observation begins: what happens while the screen is read counts as a change. */
    synchronized void arm() {
        armed = true;
        answered = false;
        types = 0;
    }

    /** The answer was sent, an error too, so that a message may follow. */
    synchronized void answered() {
        answered = true;
        notifyAll();
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    @Override
    public synchronized void onEvent(int type) {
        if (!armed || (type & NO_CHANGE) != 0) return;
        types |= type;
        if (answered) notifyAll();
    }

    void start() {
        Thread thread = new Thread("changes") {
            @Override
            public void run() {
                send();
            }
        };
        thread.setDaemon(true);
        thread.start();
    }

    private void send() {
        try {
            int due;
            while ((due = next()) != 0) {
                writer.write(Protocol.MESSAGE, 0, new BodyWriter().uint(Protocol.CHANGED).uint(due & 0xffffffffL));
            }
        } catch (IOException ignored) {
            // The reader finds the end of the connection, too.
        } catch (InterruptedException ignored) {
            // Nobody interrupts this thread.
        }
    }

    /** The event types that are due, or 0 at the end. */
    private synchronized int next() throws InterruptedException {
        while (!ended) {
            if (armed && answered && types != 0) {
                armed = false;
                return types;
            }
            wait();
        }
        return 0;
    }
}
