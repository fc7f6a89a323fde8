package clawperator.agent;

import android.os.SystemClock;
import android.view.accessibility.AccessibilityEvent;
import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Notifies the client once per observation that the screen may have changed, and forwards the requested events. The platform
 * delivers events on its own thread, which must not block; a separate thread sends.
 */
final class ChangeNotifier implements Device.EventListener {
    /** Event types that do not indicate a change of the screen. */
    private static final int NO_CHANGE = AccessibilityEvent.TYPE_VIEW_HOVER_ENTER | AccessibilityEvent.TYPE_VIEW_HOVER_EXIT
            | AccessibilityEvent.TYPE_TOUCH_EXPLORATION_GESTURE_START | AccessibilityEvent.TYPE_TOUCH_EXPLORATION_GESTURE_END
            | AccessibilityEvent.TYPE_GESTURE_DETECTION_START | AccessibilityEvent.TYPE_GESTURE_DETECTION_END
            | AccessibilityEvent.TYPE_TOUCH_INTERACTION_START | AccessibilityEvent.TYPE_TOUCH_INTERACTION_END | Protocol.KEY_PRESSED;

    /** Maximum number of queued events; later ones are counted as lost. */
    private static final int MAX_QUEUED = 256;

    private final FrameWriter writer;
    /** Types of the events whose content is sent. */
    private final int eventTypes;
    private final ArrayDeque<QueuedEvent> queue = new ArrayDeque<QueuedEvent>();
    private long lost;
    private long number;
    /** Whether no change was sent since the last observation began. */
    private boolean armed;
    /** Whether the observation was answered. */
    private boolean answered;
    private boolean ended;
    private int changeTypes;

    /** A copy of an event. */
    private static final class QueuedEvent {
        final AccessibilityEvent event;
        final long lost;

        QueuedEvent(AccessibilityEvent event, long lost) {
            this.event = event;
            this.lost = lost;
        }
    }

    ChangeNotifier(FrameWriter writer, int eventTypes) {
        this.writer = writer;
        this.eventTypes = eventTypes;
    }

    /** An observation begins. Events while the screen is read count as changes. */
    synchronized void arm() {
        armed = true;
        answered = false;
        changeTypes = 0;
    }

    /** The observation was answered, maybe with an error. A change message may follow. */
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
        if ((type & eventTypes) != 0) {
            if (queue.size() == MAX_QUEUED) {
                lost++;
            } else {
                queue.add(new QueuedEvent(AccessibilityEvent.obtain(event), lost));
                lost = 0;
                notifyAll();
            }
        }
        if (!armed || (type & NO_CHANGE) != 0) return;
        changeTypes |= type;
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
                QueuedEvent next = takeEvent();
                if (next != null) sendEvent(next);
            }
        } catch (IOException ignored) {
            // The reader also notices the end of the connection.
        } catch (InterruptedException ignored) {
            // The thread is never interrupted.
        }
    }

    private void sendEvent(QueuedEvent next) throws IOException {
        long age = Math.max(0, SystemClock.uptimeMillis() - next.event.getEventTime());
        writer.write(Protocol.MESSAGE, 0, EventEncoder.encode(next.event, ++number, next.lost, age));
    }

    /** Waits until a message is due; false at the end. */
    private synchronized boolean awaitDue() throws InterruptedException {
        while (!ended && queue.isEmpty() && !isChangeDue()) wait();
        return !ended;
    }

    private boolean isChangeDue() {
        return armed && answered && changeTypes != 0;
    }

    /** The event types since the observation if a change message is due, else 0. */
    private synchronized int takeChange() {
        if (!isChangeDue()) return 0;
        armed = false;
        return changeTypes;
    }

    private synchronized QueuedEvent takeEvent() {
        return queue.poll();
    }
}
