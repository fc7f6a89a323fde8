package clawperator.agent;

/** The constants of docs/reference/agent-protocol.md. */
final class Protocol {
    static final int VERSION = 8;
    static final int MAX_FRAME_LENGTH = 33554432;
    static final int MAX_NODES = 20000;
    static final String MAGIC = "CLAWAGNT";

    static final int HELLO = 1;
    static final int PING = 2;
    static final int OBSERVE = 3;
    static final int ACT = 4;
    static final int TOUCH = 5;
    static final int KEY = 6;
    static final int SCREENSHOT = 7;
    static final int CANCEL = 8;
    static final int QUIT = 9;
    static final int CLIPBOARD = 10;
    static final int LISTEN = 11;
    static final int ROTATE = 12;

    static final int DONE = 128;
    static final int ERROR = 129;
    static final int MESSAGE = 130;

    static final int CODE_VERSION = 1;
    static final int CODE_TOKEN = 2;
    static final int CODE_BUSY = 3;
    static final int CODE_BAD_REQUEST = 4;
    static final int CODE_SLOT_TAKEN = 5;
    static final int CODE_NO_WINDOW = 6;
    static final int CODE_STALE = 7;
    static final int CODE_REFUSED = 8;
    static final int CODE_DENIED = 9;
    static final int CODE_CANCELLED = 10;
    static final int CODE_FAILED = 11;
    static final int CODE_UNSUPPORTED = 12;
    static final int CODE_TOO_LARGE = 13;
    static final int CODE_SERVICE_OFF = 14;

    /** The names of the error codes, starting with 1. */
    static final String CODE_NAMES =
            " VERSION TOKEN BUSY BAD_REQUEST SLOT_TAKEN NO_WINDOW STALE REFUSED DENIED CANCELLED FAILED UNSUPPORTED TOO_LARGE"
                    + " SERVICE_OFF";

    /** How much of a request was executed. */
    static final int NOT_DONE = 0;
    static final int DONE_PARTLY = 1;
    static final int UNKNOWN = 2;

    /** What the answer to OBSERVE has. */
    static final int WHOLE = 0;
    static final int UNCHANGED = 1;
    static final int EDITED = 2;

    static final int FORM_AGENT = 1;
    static final int FORM_APP = 2;

    static final int FEATURE_INPUT = 1;
    static final int FEATURE_SCREENSHOTS = 2;
    static final int FEATURE_CLIPBOARD = 4;
    static final int FEATURE_EDITOR_ACTION = 8;
    static final int FEATURE_GESTURES = 16;
    static final int FEATURE_SYSTEM_KEYS = 32;
    static final int FEATURE_REST = 64;
    static final int FEATURE_ROTATION = 128;

    /** Value for auto-rotation instead of a number of quarter turns. */
    static final int AUTO_ROTATION = 4;

    static final int CHANGED = 1;
    static final int APP_EVENT = 2;

    /** Event type of a key press by the client; not an event type of the platform. */
    static final int KEY_PRESSED = 0x40000000;

    private Protocol() {}
}
