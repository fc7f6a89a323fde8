package clawperator.agent;

import java.util.ArrayList;
import java.util.List;

/** The encoded data of a window. */
final class WindowRecord {
    static final int ACTIVE = 1;
    static final int FOCUSED = 2;
    static final int NO_ROOT = 4;
    static final int PICTURE_IN_PICTURE = 8;

    int id;
    int type;
    int layer;
    int flags;
    String title;
    /** Left, top, right, bottom. */
    int[] bounds = new int[4];
    /** Rectangles like `bounds`. */
    final List<int[]> region = new ArrayList<int[]>(1);
    int unreadable;
    final List<NodeRecord> nodes = new ArrayList<NodeRecord>();
}
