package clawperator.agent;

import java.util.ArrayList;
import java.util.List;

/** The events of the harness as JSON, oldest first. */
final class Journal {
    private final List<String> entries = new ArrayList<>();

    /** Adds an entry; `fields` is null or more JSON fields. */
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
