package clawperator.agent;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Encodes a content as an edit of another one: runs of its bytes, each followed by new bytes. */
final class ContentEdit {
    /** Shorter runs need about as many bytes as they save. */
    private static final int MIN_RUN = 6;

    private final Content base;
    private final Content next;
    /** The copied runs in their order in `next`. The first one begins at 0 and may be empty. */
    private final List<Run> runs = new ArrayList<Run>();

    private static final class Run {
        /** Where it begins in `base`. */
        int from;
        /** Where it begins in `next`. */
        int to;
        int length;
    }

    static BodyWriter encode(Content base, Content next) {
        ContentEdit edit = new ContentEdit(base, next);
        edit.findRuns();
        edit.extendRuns();
        return edit.write();
    }

    private ContentEdit(Content base, Content next) {
        this.base = base;
        this.next = next;
    }

    /** Finds each piece in `base`: after the last one found, else as many pieces later as were not found since, else anywhere. */
    private void findRuns() {
        runs.add(new Run());
        Map<ByteBuffer, Integer> places = new HashMap<ByteBuffer, Integer>(base.pieces() * 2);
        for (int i = base.pieces() - 1; i >= 0; i--) places.put(piece(base, i), i);
        int expected = 0;
        int skipped = 0;
        for (int i = 0; i < next.pieces(); i++) {
            ByteBuffer wanted = piece(next, i);
            Integer place = expected;
            if (!isAt(wanted, place)) place = expected + skipped;
            if (!isAt(wanted, place)) place = places.get(wanted);
            if (place == null) {
                skipped++;
                continue;
            }
            copy(place, i);
            expected = place + 1;
            skipped = 0;
        }
    }

    private boolean isAt(ByteBuffer wanted, int place) {
        return place < base.pieces() && piece(base, place).equals(wanted);
    }

    private static ByteBuffer piece(Content content, int piece) {
        return ByteBuffer.wrap(content.bytes, content.start(piece), content.length(piece));
    }

    private void copy(int place, int piece) {
        Run run = runs.get(runs.size() - 1);
        if (run.from + run.length != base.start(place) || run.to + run.length != next.start(piece)) {
            run = new Run();
            run.from = base.start(place);
            run.to = next.start(piece);
            runs.add(run);
        }
        run.length += next.length(piece);
    }

    /** Extends the runs by equal bytes beside them: of a changed node only the changed bytes are sent. */
    private void extendRuns() {
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            int limit = endOfNew(i);
            while (run.to + run.length < limit && run.from + run.length < base.bytes.length
                    && base.bytes[run.from + run.length] == next.bytes[run.to + run.length]) {
                run.length++;
            }
            if (i + 1 == runs.size()) return;
            Run after = runs.get(i + 1);
            while (after.to > run.to + run.length && after.from > 0 && base.bytes[after.from - 1] == next.bytes[after.to - 1]) {
                after.from--;
                after.to--;
                after.length++;
            }
        }
    }

    /** The end of the new bytes after a run. */
    private int endOfNew(int run) {
        return run + 1 < runs.size() ? runs.get(run + 1).to : next.bytes.length;
    }

    private BodyWriter write() {
        for (int i = runs.size() - 1; i > 0; i--) {
            if (runs.get(i).length < MIN_RUN) runs.remove(i);
        }
        BodyWriter body = new BodyWriter().uint(runs.size());
        int at = 0;
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            int end = run.to + run.length;
            int added = endOfNew(i) - end;
            body.integer(run.from - at).uint(run.length).uint(added).raw(next.bytes, end, added);
            at = run.from + run.length;
        }
        return body;
    }
}
