package clawperator.agent;

import android.view.accessibility.AccessibilityEvent;
import java.util.concurrent.CopyOnWriteArrayList;

/** The registered listeners of accessibility events. */
final class Listeners implements Device.EventListener {
    private final CopyOnWriteArrayList<Device.EventListener> all = new CopyOnWriteArrayList<Device.EventListener>();

    void add(Device.EventListener listener) {
        all.add(listener);
    }

    void remove(Device.EventListener listener) {
        all.remove(listener);
    }

    void clear() {
        all.clear();
    }

    @Override
    public void onEvent(AccessibilityEvent event) {
        for (Device.EventListener listener : all) listener.onEvent(event);
    }
}
