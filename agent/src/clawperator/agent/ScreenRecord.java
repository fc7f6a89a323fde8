package clawperator.agent;

import java.util.ArrayList;
import java.util.List;

/** The encoded data of a display. */
final class ScreenRecord {
    DisplayFacts display;
    int expectedWindows;
    final List<WindowRecord> windows = new ArrayList<WindowRecord>();
    /** Id and number of windows of each other display. */
    final List<int[]> others = new ArrayList<int[]>(0);
}
