package clawperator.agent;

import java.util.ArrayList;
import java.util.List;

/** What happened on the harness, oldest first, as JSON. */
final class Journal {
    private final List<String> entries = new ArrayList<>();

    /** Adds an entry, perhaps with more fields. */
    synchronized void add(String kind, String fields) {
        entries.add("{\"kind\":\"" + kind + "\"" + (fields == null ? "" : "," + fields) + "}");
    }

    synchronized void clear() {
        entries.clear();
    }

    @Override
    public synchronized String toString() {
        return "[" + String.join(",", entries) + "]";
    }
}
