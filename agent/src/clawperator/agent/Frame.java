package clawperator.agent;

/** One frame: its kind, its id, and its body. */
final class Frame {
    final int kind;
    final int id;
    final byte[] body;

    Frame(int kind, int id, byte[] body) {
        this.kind = kind;
        this.id = id;
        this.body = body;
    }
}
