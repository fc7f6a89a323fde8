package clawperator.agent;

import android.graphics.Rect;
import android.graphics.Region;
import android.graphics.RegionIterator;
import android.os.Build;
import android.util.SparseArray;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Reads the windows of a display; assigns a revision to each content. */
final class Observer {
    private static final int API = Build.VERSION.SDK_INT;
    private static final int MAX_DEPTH = 1000;
    private static final int MAX_CONTENT_LENGTH = Protocol.MAX_FRAME_LENGTH - 64;
    private static final int MAX_REGION_RECTANGLES = 64;
    private static final Comparator<AccessibilityWindowInfo> TOPMOST_FIRST = new Comparator<AccessibilityWindowInfo>() {
        @Override
        public int compare(AccessibilityWindowInfo a, AccessibilityWindowInfo b) {
            return Integer.compare(b.getLayer(), a.getLayer());
        }
    };

    private final Device device;
    private final NodeStore store;
    private final NodeReader reader = new NodeReader();
    /** Starts at a random number, so that revisions of a previous agent are not valid. */
    private volatile long revision = new SecureRandom().nextInt(1 << 30);
    private int lastDisplay = -1;
    private Content last;

    Observer(Device device, NodeStore store) {
        this.device = device;
        this.store = store;
    }

    long revision() {
        return revision;
    }

    /** The body of the answer; `known` is the last revision of the client. */
    BodyWriter observe(int display, long known, CancellationToken cancellation) throws Failure {
        long began = System.nanoTime();
        ScreenRecord screen = new ScreenRecord();
        List<AccessibilityNodeInfo> nodes = read(screen, display, cancellation);
        Content base = display == lastDisplay ? last : null;
        Content content = TreeEncoder.encode(screen, base);
        boolean same = base != null && Arrays.equals(content.bytes, base.bytes);
        BodyWriter edit = null;
        if (!same) {
            if (base != null && known == revision) edit = edit(base, content);
            // A content that is sent whole has only its own texts.
            if (edit == null && base != null) content = TreeEncoder.encode(screen, null);
            if (content.bytes.length > MAX_CONTENT_LENGTH) {
                throw new Failure(Protocol.CODE_TOO_LARGE, Protocol.NOT_DONE, "an observation of " + content.bytes.length + " bytes");
            }
            revision++;
            lastDisplay = display;
            last = content;
        }
        store.put(revision, nodes);
        BodyWriter body = new BodyWriter((edit == null ? last.bytes.length : edit.size()) + 32).uint(revision);
        if (same && known == revision) return body.uint(Protocol.UNCHANGED);
        long millis = (System.nanoTime() - began) / 1000000;
        if (edit != null) return body.uint(Protocol.EDITED).uint(millis).uint(known).append(edit);
        return body.uint(Protocol.WHOLE).uint(millis).raw(last.bytes, 0, last.bytes.length);
    }

    /** The content as an edit of `base`; null if it is better sent whole. */
    private static BodyWriter edit(Content base, Content content) {
        boolean isTooLong = content.bytes.length > MAX_CONTENT_LENGTH;
        if (isTooLong || content.texts.size() > base.texts.size() && content.isMostlyUnused()) return null;
        BodyWriter edit = ContentEdit.encode(base, content);
        return edit.size() > content.bytes.length / 2 ? null : edit;
    }

    private List<AccessibilityNodeInfo> read(ScreenRecord screen, int display, CancellationToken cancellation) throws Failure {
        if (display != 0 && API < 30) {
            throw new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE, "other displays need Android 11");
        }
        boolean cleared = device.clearCache();
        SparseArray<List<AccessibilityWindowInfo>> all = device.windows();
        List<AccessibilityWindowInfo> windows = all.get(display);
        screen.display = device.display(display);
        if (screen.display == null) {
            throw new Failure(Protocol.CODE_NO_WINDOW, Protocol.NOT_DONE, "there is no display " + display);
        }
        for (int i = 0; i < all.size(); i++) {
            if (all.keyAt(i) != display) screen.others.add(new int[] {all.keyAt(i), all.valueAt(i).size()});
        }
        List<AccessibilityNodeInfo> nodes = new ArrayList<AccessibilityNodeInfo>(256);
        if (windows == null || windows.isEmpty()) {
            readActive(screen, display, nodes, cleared, cancellation);
            return nodes;
        }
        screen.expectedWindows = windows.size();
        List<AccessibilityWindowInfo> sorted = new ArrayList<AccessibilityWindowInfo>(windows);
        Collections.sort(sorted, TOPMOST_FIRST);
        for (AccessibilityWindowInfo window : sorted) {
            WindowRecord record = describe(window);
            screen.windows.add(record);
            readNodes(record, rootOf(window), nodes, cleared, cancellation);
        }
        return nodes;
    }

    /** Some systems list no windows but return the root of the active one. `expectedWindows` stays 0: the screen is incomplete. */
    private void readActive(ScreenRecord screen, int display, List<AccessibilityNodeInfo> nodes, boolean cleared,
            CancellationToken cancellation) throws Failure {
        AccessibilityNodeInfo root = display == 0 ? device.activeRoot() : null;
        if (root == null) {
            throw new Failure(Protocol.CODE_NO_WINDOW, Protocol.NOT_DONE, "display " + display + " has no window that can be read");
        }
        WindowRecord record = new WindowRecord();
        record.id = root.getWindowId();
        record.type = AccessibilityWindowInfo.TYPE_APPLICATION;
        record.flags = WindowRecord.ACTIVE;
        Rect bounds = new Rect();
        root.getBoundsInScreen(bounds);
        record.bounds = edges(bounds);
        screen.windows.add(record);
        readNodes(record, root, nodes, cleared, cancellation);
    }

    private static AccessibilityNodeInfo rootOf(AccessibilityWindowInfo window) {
        try {
            return API >= 33 ? Level33.root(window) : window.getRoot();
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static WindowRecord describe(AccessibilityWindowInfo window) {
        WindowRecord record = new WindowRecord();
        record.id = window.getId();
        record.type = Math.max(0, window.getType());
        record.layer = window.getLayer();
        if (window.isActive()) record.flags |= WindowRecord.ACTIVE;
        if (window.isFocused()) record.flags |= WindowRecord.FOCUSED;
        if (API >= 26 && Level26.isPictureInPicture(window)) record.flags |= WindowRecord.PICTURE_IN_PICTURE;
        CharSequence title = API >= 24 ? Level24.title(window) : null;
        if (title != null && title.length() > 0) record.title = title.toString();
        Rect bounds = new Rect();
        window.getBoundsInScreen(bounds);
        record.bounds = edges(bounds);
        if (API >= 33) addRegion(window, record);
        return record;
    }

    private static void addRegion(AccessibilityWindowInfo window, WindowRecord record) {
        Region region = new Region();
        Level33.region(window, region);
        RegionIterator parts = new RegionIterator(region);
        Rect part = new Rect();
        while (parts.next(part)) {
            if (record.region.size() == MAX_REGION_RECTANGLES) {
                record.region.clear();
                return;
            }
            record.region.add(edges(part));
        }
    }

    private void readNodes(WindowRecord window, AccessibilityNodeInfo root, List<AccessibilityNodeInfo> nodes,
            boolean cleared, CancellationToken cancellation) throws Failure {
        if (root == null || !cleared && !root.refresh()) {
            window.flags |= WindowRecord.NO_ROOT;
            return;
        }
        int first = nodes.size();
        List<int[]> counts = new ArrayList<int[]>();
        collect(window, root, nodes, counts, cleared, 0, cancellation);
        for (int i = 0; i < counts.size(); i++) {
            window.nodes.add(reader.read(nodes.get(first + i), counts.get(i)[0]));
        }
    }

    /** Collects a subtree in document order, with the number of readable children of each node. */
    private void collect(WindowRecord window, AccessibilityNodeInfo node, List<AccessibilityNodeInfo> nodes,
            List<int[]> counts, boolean cleared, int depth, CancellationToken cancellation) throws Failure {
        if (nodes.size() >= Protocol.MAX_NODES) {
            throw new Failure(Protocol.CODE_TOO_LARGE, Protocol.NOT_DONE, "more than " + Protocol.MAX_NODES + " nodes");
        }
        cancellation.check(Protocol.NOT_DONE);
        int[] count = new int[1];
        nodes.add(node);
        counts.add(count);
        int childCount = node.getChildCount();
        if (depth >= MAX_DEPTH) {
            window.unreadable += childCount;
            return;
        }
        for (int i = 0; i < childCount; i++) {
            AccessibilityNodeInfo child = API >= 33 ? Level33.child(node, i) : node.getChild(i);
            if (child == null || !cleared && !child.refresh()) {
                window.unreadable++;
                continue;
            }
            count[0]++;
            collect(window, child, nodes, counts, cleared, depth + 1, cancellation);
        }
    }

    private static int[] edges(Rect rectangle) {
        return new int[] {rectangle.left, rectangle.top, rectangle.right, rectangle.bottom};
    }
}
