package clawperator.agent;

import java.util.BitSet;
import java.util.Map;

/** The encoded content of an observation, and what the next content continues. */
final class Content {
    final byte[] bytes;
    /** The string table: the number of each text, in the order of the numbers. */
    final Map<String, Integer> texts;
    /** The numbers of the texts to which a window or node refers. */
    private final BitSet used;
    /** The end of each piece: the display, the number of texts, each text, the number of windows, each window and node, and the rest. */
    private final int[] ends;

    Content(byte[] bytes, int[] ends, Map<String, Integer> texts, BitSet used) {
        this.bytes = bytes;
        this.ends = ends;
        this.texts = texts;
        this.used = used;
    }

    int pieces() {
        return ends.length;
    }

    int start(int piece) {
        return piece == 0 ? 0 : ends[piece - 1];
    }

    int length(int piece) {
        return ends[piece] - start(piece);
    }

    /** Whether more than half of the characters in the string table are of texts without references. */
    boolean isMostlyUnused() {
        long all = 0;
        long referenced = 0;
        for (Map.Entry<String, Integer> text : texts.entrySet()) {
            all += text.getKey().length();
            if (used.get(text.getValue())) referenced += text.getKey().length();
        }
        return 2 * referenced < all;
    }
}
