package clawperator.agent;

/** Plays touches and keys. */
interface Input {
    int MOST_POINTERS = 16;
    int MOST_POINTS = 10000;
    int LONGEST_TOUCH = 600000;

    /** Plays pointers along their paths, which are each x and y in turn, for `duration`, then rests for `rest`, both in ms. */
    void touch(int display, int duration, int rest, int[][] paths, Cancel cancel) throws Failure, InterruptedException;

    /** Presses and releases a key of KeyEvent.KEYCODE_*. */
    void key(int display, int code, int meta, Cancel cancel) throws Failure;
}
