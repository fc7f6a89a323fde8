package clawperator.agent;

/** A touch: pointers go down, hold, move along their paths, rest, and go up. Times are in ms. */
final class Touch {
    final int hold;
    final int duration;
    final int rest;
    /** A path alternates x and y. */
    final int[][] paths;

    Touch(int hold, int duration, int rest, int[][] paths) {
        this.hold = hold;
        this.duration = duration;
        this.rest = rest;
        this.paths = paths;
    }

    int millis() {
        return hold + duration + rest;
    }
}
