package clawperator.agent;

/** Injects touches and keys. */
interface Input {
    int MAX_POINTERS = 16;
    int MAX_POINTS = 10000;
    int MAX_TOUCH_MS = 600000;

    /** Performs a touch. */
    void touch(int display, Touch touch, CancellationToken cancellation) throws Failure, InterruptedException;

    /** Presses and releases a key of KeyEvent.KEYCODE_*. */
    void key(int display, int code, int meta, CancellationToken cancellation) throws Failure;
}
