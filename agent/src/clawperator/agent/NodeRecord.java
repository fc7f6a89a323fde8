package clawperator.agent;

import java.util.ArrayList;
import java.util.List;

/** The encoded data of a node. */
final class NodeRecord {
    /** Indices of the texts; also the field bits 0 to 10. */
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

    /** The field bits of other fields. */
    static final int INPUT_TYPE = 11;
    static final int MAX_TEXT_LENGTH = 12;
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
    int maxTextLength = -1;
    /** Rows, columns, selection mode; or null. */
    int[] collection;
    /** Row, row span, column, column span; or null. */
    int[] item;
    /** Type of the range; its values are in `range`, which is null without a range. */
    int rangeType;
    float[] range;
    int selectionStart = -1;
    int selectionEnd = -1;
    int liveRegion;
    long actions;
    /** Alternating keys and values. */
    final List<String> extras = new ArrayList<String>(0);

    void set(int bit, boolean value) {
        if (value) flags |= 1 << bit;
    }

    /** Sets a text unless it is empty. */
    void put(int field, CharSequence value) {
        if (value != null && value.length() > 0) texts[field] = value.toString();
    }
}
