package clawperator.agent;

import android.view.accessibility.AccessibilityNodeInfo;
import java.util.List;

/** The nodes of the last two observations. */
final class NodeStore {
    private long newer = -1;
    private long older = -1;
    private List<AccessibilityNodeInfo> newerNodes;
    private List<AccessibilityNodeInfo> olderNodes;

    synchronized void put(long revision, List<AccessibilityNodeInfo> nodes) {
        if (revision != newer) {
            older = newer;
            olderNodes = newerNodes;
        }
        newer = revision;
        newerNodes = nodes;
    }

    /** A node of an observation by its index, refreshed. */
    AccessibilityNodeInfo find(long revision, int index) throws Failure {
        List<AccessibilityNodeInfo> nodes = nodes(revision);
        if (nodes == null) throw stale("observation " + revision + " is no longer stored");
        if (index >= nodes.size()) throw Failure.malformed("observation " + revision + " has no node " + index);
        AccessibilityNodeInfo node = nodes.get(index);
        if (!node.refresh()) throw stale("the node is not on the screen any more");
        return node;
    }

    private synchronized List<AccessibilityNodeInfo> nodes(long revision) {
        if (revision == newer) return newerNodes;
        return revision == older ? olderNodes : null;
    }

    private static Failure stale(String message) {
        return new Failure(Protocol.CODE_STALE, Protocol.NOT_DONE, message);
    }
}
