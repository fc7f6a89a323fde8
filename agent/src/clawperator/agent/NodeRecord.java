package clawperator.agent;

import java.util.ArrayList;
import java.util.List;

/** What is sent of one node. */
final class NodeRecord {
    /** The texts in the order of the field bits 0 to 10. */
    static final int CLASS = 0;
    static final int PACKAGE = 1;
    static final int RESOURCE = 2;
    static final int TEXT = 3;
    static final int HINT = 4;
    static final int DESCRIPTION = 5;
    static final int STATE = 6;
    static final int ERROR = 7;
    static final int PANE = 8;
    static final int TOOLTIP = 9;
    static final int UNIQUE = 10;

    /** The field bits of what is no text. */
    static final int INPUT_TYPE = 11;
    static final int LONGEST_TEXT = 12;
    static final int COLLECTION = 13;
    static final int ITEM = 14;
    static final int RANGE = 15;
    static final int SELECTION = 16;
    static final int LIVE_REGION = 17;
    static final int ACTIONS = 18;
    static final int EXTRAS = 19;

    int children;
    int flags;
    int left;
    int top;
    int right;
    int bottom;
    final String[] texts = new String[11];
    int inputType;
    int longestText = -1;
    /** Rows, columns, selection mode; or null. */
    int[] collection;
    /** Row, row span, column, column span; or null. */
    int[] item;
    /** Kind of range; the values are in `range`, null for no range. */
    int rangeType;
    float[] range;
    int selectionStart = -1;
    int selectionEnd = -1;
    int liveRegion;
    long actions;
    /** Keys and values in turn. */
    final List<String> extras = new ArrayList<String>(0);

    void set(int bit, boolean value) {
        if (value) flags |= 1 << bit;
    }

    /** Keeps a text; an empty one counts as none. */
    void put(int field, CharSequence value) {
        if (value != null && value.length() > 0) texts[field] = value.toString();
    }
}
