package clawperator.agent;

/** Maps keys to the equivalent global actions, AccessibilityService.GLOBAL_ACTION_*. */
final class SystemKeys {
    /** Key code, action, and the first API level with the action. */
    private static final int[][] KEYS = {
        {4, 1, 16}, // back
        {3, 2, 16}, // home
        {187, 3, 16}, // recent apps
        {83, 4, 16}, // notifications
        {120, 9, 28}, // screenshot
        {223, 8, 28}, // sleep: locks the screen
        {79, 10, 31}, // headset hook
        {284, 14, 31}, // all apps
        {19, 16, 33}, // up
        {20, 17, 33}, // down
        {21, 18, 33}, // left
        {22, 19, 33}, // right
        {23, 20, 33}, // center
    };

    /** The action for a key, or 0. */
    static int action(int key, int level) {
        for (int[] row : KEYS) {
            if (row[0] == key && level >= row[2]) return row[1];
        }
        return 0;
    }

    private SystemKeys() {}
}
