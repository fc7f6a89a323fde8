package clawperator.agent;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Encodes a screen: the part of an observation from the display on. */
final class TreeEncoder {
    /** The number of each text in the string table, from 1. */
    private final Map<String, Integer> texts = new LinkedHashMap<String, Integer>();
    private final BitSet used = new BitSet();
    private final List<Integer> ends = new ArrayList<Integer>();
    private int next;

    /** Encodes a screen with the string table of `base` and new texts after it, so that equal nodes are equal bytes; or with a new table. */
    static Content encode(ScreenRecord screen, Content base) {
        TreeEncoder encoder = new TreeEncoder();
        if (base != null) encoder.texts.putAll(base.texts);
        return encoder.screen(screen);
    }

    private Content screen(ScreenRecord screen) {
        BodyWriter windows = new BodyWriter(8192);
        endPiece(windows.uint(screen.windows.size()));
        for (WindowRecord window : screen.windows) window(windows, window);
        windows.uint(screen.others.size());
        for (int[] other : screen.others) windows.uint(other[0]).uint(other[1]);
        endPiece(windows);
        List<Integer> windowEnds = new ArrayList<Integer>(ends);
        ends.clear();
        BodyWriter body = new BodyWriter(windows.size() * 2 + 64);
        screen.display.write(body);
        endPiece(body.uint(screen.expectedWindows));
        endPiece(body.uint(texts.size()));
        for (String text : texts.keySet()) endPiece(body.text(text));
        for (int end : windowEnds) ends.add(body.size() + end);
        int[] all = new int[ends.size()];
        for (int i = 0; i < all.length; i++) all[i] = ends.get(i);
        return new Content(body.append(windows).toBytes(), all, texts, used);
    }

    private void endPiece(BodyWriter body) {
        ends.add(body.size());
    }

    private void window(BodyWriter body, WindowRecord window) {
        body.uint(window.id & 0xffffffffL).uint(window.type).integer(window.layer).uint(window.flags);
        reference(body, window.title);
        rectangle(body, window.bounds);
        body.uint(window.region.size());
        for (int[] part : window.region) rectangle(body, part);
        endPiece(body.uint(window.unreadable).uint(window.nodes.size()));
        next = 0;
        while (next < window.nodes.size()) subtree(body, window.nodes, 0, 0);
    }

    private void subtree(BodyWriter body, List<NodeRecord> nodes, int parentLeft, int parentTop) {
        NodeRecord node = nodes.get(next++);
        node(body, node, parentLeft, parentTop);
        for (int i = 0; i < node.children; i++) subtree(body, nodes, node.left, node.top);
    }

    private void node(BodyWriter body, NodeRecord node, int parentLeft, int parentTop) {
        body.uint(node.children).uint(node.flags).uint(fields(node));
        body.integer(node.left - parentLeft).integer(node.top - parentTop);
        body.integer(node.right - node.left).integer(node.bottom - node.top);
        for (String text : node.texts) {
            if (text != null) reference(body, text);
        }
        if (node.inputType != 0) body.uint(node.inputType & 0xffffffffL);
        if (node.maxTextLength >= 0) body.uint(node.maxTextLength);
        if (node.collection != null) {
            body.integer(node.collection[0]).integer(node.collection[1]).uint(node.collection[2]);
        }
        if (node.item != null) {
            for (int value : node.item) body.integer(value);
        }
        if (node.range != null) {
            body.uint(node.rangeType);
            for (float value : node.range) body.real(value);
        }
        if (hasSelection(node)) body.integer(node.selectionStart).integer(node.selectionEnd);
        if (node.liveRegion != 0) body.uint(node.liveRegion);
        if (node.actions != 0) body.uint(node.actions);
        if (!node.extras.isEmpty()) {
            body.uint(node.extras.size() / 2);
            for (String text : node.extras) reference(body, text);
        }
        endPiece(body);
    }

    private static int fields(NodeRecord node) {
        int fields = 0;
        for (int i = 0; i < node.texts.length; i++) fields |= bit(node.texts[i] != null, i);
        return fields | bit(node.inputType != 0, NodeRecord.INPUT_TYPE) | bit(node.maxTextLength >= 0, NodeRecord.MAX_TEXT_LENGTH) | bit(node.collection != null, NodeRecord.COLLECTION)
                | bit(node.item != null, NodeRecord.ITEM) | bit(node.range != null, NodeRecord.RANGE) | bit(hasSelection(node), NodeRecord.SELECTION)
                | bit(node.liveRegion != 0, NodeRecord.LIVE_REGION) | bit(node.actions != 0, NodeRecord.ACTIONS) | bit(!node.extras.isEmpty(), NodeRecord.EXTRAS);
    }

    private static int bit(boolean value, int bit) {
        return value ? 1 << bit : 0;
    }

    private static boolean hasSelection(NodeRecord node) {
        return node.selectionStart >= 0 && node.selectionEnd >= 0;
    }

    private void reference(BodyWriter body, String text) {
        if (text == null) {
            body.uint(0);
            return;
        }
        Integer number = texts.get(text);
        if (number == null) {
            number = texts.size() + 1;
            texts.put(text, number);
        }
        used.set(number);
        body.uint(number);
    }

    private static void rectangle(BodyWriter body, int[] edges) {
        body.integer(edges[0]).integer(edges[1]).integer(edges[2] - edges[0]).integer(edges[3] - edges[1]);
    }

    private TreeEncoder() {}
}
