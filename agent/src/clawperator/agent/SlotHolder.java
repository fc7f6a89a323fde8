package clawperator.agent;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Finds the process that probably holds the UiAutomation of the phone. */
final class SlotHolder {
    /** Parts of command lines of such programs, the most specific first. */
    private static final String[] MARKERS = {
        "clawperator.agent.Main", "uiautomator", "instrument", "u2.jar", "app_process",
    };

    static String find() {
        return find(new File("/proc"), ownName());
    }

    /** The command line and process id, or null. Skips processes of other users, which cannot be read. */
    static String find(File proc, String own) {
        String best = null;
        int bestRank = MARKERS.length;
        String[] names = proc.list();
        if (names == null) return null;
        for (String name : names) {
            if (name.equals(own) || name.isEmpty() || !Character.isDigit(name.charAt(0))) continue;
            String line = commandLine(new File(new File(proc, name), "cmdline"));
            for (int rank = 0; rank < bestRank; rank++) {
                if (!line.contains(MARKERS[rank])) continue;
                bestRank = rank;
                best = line + " (process " + name + ")";
            }
        }
        return best;
    }

    private static String ownName() {
        return String.valueOf(android.os.Process.myPid());
    }

    private static String commandLine(File file) {
        byte[] bytes = new byte[300];
        int size = 0;
        try {
            InputStream stream = new FileInputStream(file);
            try {
                int count;
                while (size < bytes.length && (count = stream.read(bytes, size, bytes.length - size)) > 0) size += count;
            } finally {
                stream.close();
            }
        } catch (IOException e) {
            return "";
        }
        return new String(bytes, 0, size, Utf8.CHARSET).replace('\0', ' ').trim();
    }

    private SlotHolder() {}
}
