package clawperator.agent;

import android.os.SystemClock;
import android.view.accessibility.AccessibilityEvent;
import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Tells the client once after each observation that the screen may have changed, and the content of some events. Events come on a thread of the platform, which
 * must not wait for the client; a thread of its own sends.
 */
final class Changes implements Device.EventListener {
    /** Events that say nothing about the screen. */
    private static final int NO_CHANGE = AccessibilityEvent.TYPE_VIEW_HOVER_ENTER | AccessibilityEvent.TYPE_VIEW_HOVER_EXIT
            | AccessibilityEvent.TYPE_TOUCH_EXPLORATION_GESTURE_START | AccessibilityEvent.TYPE_TOUCH_EXPLORATION_GESTURE_END
            | AccessibilityEvent.TYPE_GESTURE_DETECTION_START | AccessibilityEvent.TYPE_GESTURE_DETECTION_END
            | AccessibilityEvent.TYPE_TOUCH_INTERACTION_START | AccessibilityEvent.TYPE_TOUCH_INTERACTION_END | Protocol.KEY_PRESSED;

    /** Events that wait to be told; later ones are counted as lost. */
    private static final int MOST_WAITING = 256;

    private final FrameWriter writer;
    /** Types of the events whose content is sent. */
    private final int told;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<Waiting>();
    private long lost;
    private long number;
    /** An observation began, and nothing was sent since. */
    private boolean armed;
    /** Its answer was sent. */
    private boolean answered;
    private boolean ended;
    private int types;

    /** A copy of an event. */
    private static final class Waiting {
        final AccessibilityEvent event;
        final long lost;

        Waiting(AccessibilityEvent event, long lost) {
            this.event = event;
            this.lost = lost;
        }
    }

    Changes(FrameWriter writer, int told) {
        this.writer = writer;
        this.told = told;
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
    @SuppressWarnings("deprecation")
    public synchronized void onEvent(AccessibilityEvent event) {
        int type = event.getEventType();
        if ((type & told) != 0) {
            if (waiting.size() == MOST_WAITING) {
                lost++;
            } else {
                waiting.add(new Waiting(AccessibilityEvent.obtain(event), lost));
                lost = 0;
                notifyAll();
            }
        }
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
            while (awaitDue()) {
                int due = takeChange();
                if (due != 0) {
                    writer.write(Protocol.MESSAGE, 0, new BodyWriter().uint(Protocol.CHANGED).uint(due & 0xffffffffL));
                }
                Waiting next = takeEvent();
                if (next != null) tell(next);
            }
        } catch (IOException ignored) {
            // The reader finds the end of the connection, too.
        } catch (InterruptedException ignored) {
            // Nobody interrupts this thread.
        }
    }

    private void tell(Waiting next) throws IOException {
        long age = Math.max(0, SystemClock.uptimeMillis() - next.event.getEventTime());
        writer.write(Protocol.MESSAGE, 0, EventEncoder.encode(next.event, ++number, next.lost, age));
    }

    /** Waits until something is due; false at the end. */
    private synchronized boolean awaitDue() throws InterruptedException {
        while (!ended && waiting.isEmpty() && !isChangeDue()) wait();
        return !ended;
    }

    private boolean isChangeDue() {
        return armed && answered && types != 0;
    }

    /** The event types since the observation when a message is due, else 0. */
    private synchronized int takeChange() {
        if (!isChangeDue()) return 0;
        armed = false;
        return types;
    }

    private synchronized Waiting takeEvent() {
        return waiting.poll();
    }
}
