package clawperator.agent;

/** The line with the connection parameters for the host, or with the error. */
final class StartLine {
    private static final String PREFIX = "clawperator-agent ";

    static String ready(String socket, byte[] token, byte[] hash) {
        return PREFIX + "ready " + Protocol.VERSION + " " + socket + " " + Bytes.hex(token) + " " + android.os.Process.myPid() + " "
                + Bytes.hex(hash);
    }

    static String failed(int code, String message) {
        String line = message == null ? "" : message.replace('\n', ' ').replace('\r', ' ');
        return PREFIX + "failed " + Protocol.CODE_NAMES.split(" ")[code] + " " + line;
    }

    /** A random name for an abstract socket. */
    static String newSocketName() {
        return "clawperator-" + Bytes.hex(Bytes.random(8));
    }

    private StartLine() {}
}
