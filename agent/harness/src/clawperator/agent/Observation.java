package clawperator.agent;

import java.util.ArrayList;
import java.util.List;

/** A decoded observation. */
final class Observation {
    long revision;
    boolean unchanged;
    boolean edited;
    long time;
    /** What follows the time in a whole answer. */
    byte[] content;
    /** Length of the answer. */
    int length;
    final ScreenRecord screen = new ScreenRecord();

    /** `known` is the observation that an answer may edit, or null. */
    static Observation decode(byte[] bytes, Observation known) throws Failure {
        BodyReader body = new BodyReader(bytes);
        Observation observation = new Observation();
        observation.length = bytes.length;
        observation.revision = body.uint();
        int form = body.uint("form", Protocol.EDITED);
        observation.unchanged = form == Protocol.UNCHANGED;
        observation.edited = form == Protocol.EDITED;
        if (!observation.unchanged) {
            observation.time = body.uint();
            observation.content = observation.edited ? applied(body, known) : body.raw(bytes.length - headerLength(observation));
            BodyReader content = new BodyReader(observation.content);
            new Decoder(content, observation.screen).decode();
            content.end();
        }
        body.end();
        return observation;
    }

    /** Length of a whole answer before its content. */
    private static int headerLength(Observation observation) {
        return new BodyWriter().uint(observation.revision).uint(Protocol.WHOLE).uint(observation.time).size();
    }

    private static byte[] applied(BodyReader body, Observation known) throws Failure {
        long base = body.uint();
        if (known == null || base != known.revision) throw Failure.malformed("an edit of the unknown revision " + base);
        BodyWriter content = new BodyWriter();
        int at = 0;
        for (long parts = body.uint(); parts > 0; parts--) {
            at += (int) body.integer();
            int run = (int) body.uint();
            content.raw(known.content, at, run);
            at += run;
            byte[] added = body.bytes();
            content.raw(added, 0, added.length);
        }
        return content.toBytes();
    }

    List<NodeRecord> nodes() {
        List<NodeRecord> nodes = new ArrayList<>();
        for (WindowRecord window : screen.windows) nodes.addAll(window.nodes);
        return nodes;
    }

    NodeRecord node(int index) {
        return nodes().get(index);
    }

    /** Index of the first node with this text, hint or description, or -1. */
    int find(String text) {
        List<NodeRecord> nodes = nodes();
        for (int i = 0; i < nodes.size(); i++) {
            for (int field = NodeRecord.TEXT; field <= NodeRecord.DESCRIPTION; field++) {
                if (text.equals(nodes.get(i).texts[field])) return i;
            }
        }
        return -1;
    }

    /** Index of the first node whose class name has this suffix, or -1. */
    int findClass(String suffix) {
        List<NodeRecord> nodes = nodes();
        for (int i = 0; i < nodes.size(); i++) {
            String name = nodes.get(i).texts[NodeRecord.CLASS];
            if (name != null && name.endsWith(suffix)) return i;
        }
        return -1;
    }

    NodeRecord get(String text) {
        int index = find(text);
        if (index < 0) throw new IllegalStateException("no " + text + " in " + texts());
        return node(index);
    }

    List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (NodeRecord node : nodes()) {
            if (node.texts[NodeRecord.TEXT] != null) texts.add(node.texts[NodeRecord.TEXT]);
        }
        return texts;
    }

    /** Fails with what is missing. */
    void requireComplete() {
        if (isComplete()) return;
        StringBuilder text = new StringBuilder(screen.windows.size() + " of " + screen.expectedWindows + " windows");
        for (WindowRecord window : screen.windows) {
            text.append(", ").append(window.id).append(" flags ").append(window.flags).append(" nodes ").append(window.nodes.size())
                    .append(" unreadable ").append(window.unreadable);
        }
        throw new AssertionError(text.toString());
    }

    boolean isComplete() {
        boolean complete = screen.expectedWindows == screen.windows.size();
        for (WindowRecord window : screen.windows) {
            complete &= (window.flags & WindowRecord.NO_ROOT) == 0 && window.unreadable == 0;
        }
        return complete;
    }

    private static final class Decoder {
        private final BodyReader body;
        private final ScreenRecord screen;
        private String[] table;

        Decoder(BodyReader body, ScreenRecord screen) {
            this.body = body;
            this.screen = screen;
        }

        void decode() throws Failure {
            screen.display = new DisplayFacts((int) body.uint(), (int) body.uint(), (int) body.uint(), (int) body.uint());
            screen.expectedWindows = (int) body.uint();
            table = new String[(int) body.uint()];
            for (int i = 0; i < table.length; i++) table[i] = body.text();
            int windows = (int) body.uint();
            for (int i = 0; i < windows; i++) screen.windows.add(window());
            int others = (int) body.uint();
            for (int i = 0; i < others; i++) screen.others.add(new int[] {(int) body.uint(), (int) body.uint()});
        }

        private WindowRecord window() throws Failure {
            WindowRecord window = new WindowRecord();
            window.id = (int) body.uint();
            window.type = (int) body.uint();
            window.layer = (int) body.integer();
            window.flags = (int) body.uint();
            window.title = reference();
            window.bounds = rectangle();
            int parts = (int) body.uint();
            for (int i = 0; i < parts; i++) window.region.add(rectangle());
            window.unreadable = (int) body.uint();
            int count = (int) body.uint();
            while (window.nodes.size() < count) subtree(window, 0, 0);
            if (window.nodes.size() != count) throw Failure.malformed("the children do not add up");
            return window;
        }

        private void subtree(WindowRecord window, int left, int top) throws Failure {
            NodeRecord node = new NodeRecord();
            window.nodes.add(node);
            node.children = (int) body.uint();
            node.flags = (int) body.uint();
            int fields = (int) body.uint();
            node.left = left + (int) body.integer();
            node.top = top + (int) body.integer();
            node.right = node.left + (int) body.integer();
            node.bottom = node.top + (int) body.integer();
            for (int i = 0; i < node.texts.length; i++) {
                if (has(fields, i)) node.texts[i] = reference();
            }
            if (has(fields, NodeRecord.INPUT_TYPE)) node.inputType = (int) body.uint();
            if (has(fields, NodeRecord.MAX_TEXT_LENGTH)) node.maxTextLength = (int) body.uint();
            if (has(fields, NodeRecord.COLLECTION)) node.collection = new int[] {(int) body.integer(), (int) body.integer(), (int) body.uint()};
            if (has(fields, NodeRecord.ITEM)) {
                node.item = new int[] {(int) body.integer(), (int) body.integer(), (int) body.integer(), (int) body.integer()};
            }
            if (has(fields, NodeRecord.RANGE)) {
                node.rangeType = (int) body.uint();
                node.range = new float[] {body.real(), body.real(), body.real()};
            }
            if (has(fields, NodeRecord.SELECTION)) {
                node.selectionStart = (int) body.integer();
                node.selectionEnd = (int) body.integer();
            }
            if (has(fields, NodeRecord.LIVE_REGION)) node.liveRegion = (int) body.uint();
            if (has(fields, NodeRecord.ACTIONS)) node.actions = body.uint();
            if (has(fields, NodeRecord.EXTRAS)) {
                int extras = (int) body.uint();
                for (int i = 0; i < 2 * extras; i++) node.extras.add(reference());
            }
            if (fields >> NodeRecord.EXTRAS + 1 != 0) throw Failure.malformed("unknown fields");
            for (int i = 0; i < node.children; i++) subtree(window, node.left, node.top);
        }

        private static boolean has(int fields, int bit) {
            return (fields >> bit & 1) == 1;
        }

        private String reference() throws Failure {
            int number = body.uint("a reference", table.length);
            return number == 0 ? null : table[number - 1];
        }

        private int[] rectangle() throws Failure {
            int left = (int) body.integer();
            int top = (int) body.integer();
            return new int[] {left, top, left + (int) body.integer(), top + (int) body.integer()};
        }
    }
}
