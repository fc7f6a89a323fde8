package clawperator.agent;

/** Injects touches and keys. */
interface Input {
    int MAX_POINTERS = 16;
    int MAX_POINTS = 10000;
    int MAX_TOUCH_MS = 600000;

    /** Moves pointers along their paths for `duration`, then holds them in place for `hold`, both in ms. A path alternates x and y. */
    void touch(int display, int duration, int hold, int[][] paths, CancellationToken cancellation) throws Failure, InterruptedException;

    /** Presses and releases a key of KeyEvent.KEYCODE_*. */
    void key(int display, int code, int meta, CancellationToken cancellation) throws Failure;
}
