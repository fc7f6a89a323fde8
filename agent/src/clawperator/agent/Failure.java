package clawperator.agent;

/** A request that ends with an error of the protocol. */
final class Failure extends Exception {
    final int code;
    final int dispatch;

    Failure(int code, int dispatch, String message) {
        super(message);
        this.code = code;
        this.dispatch = dispatch;
    }

    /** A request that does not follow the protocol. */
    static Failure malformed(String message) {
        return new Failure(Protocol.CODE_BAD_REQUEST, Protocol.NOT_DONE, message);
    }

    /** The error for an exception. */
    static Failure of(Throwable thrown, int dispatch) {
        if (thrown instanceof Failure) return (Failure) thrown;
        if (thrown instanceof SecurityException) return new Failure(Protocol.CODE_DENIED, dispatch, describe(thrown));
        return new Failure(Protocol.CODE_FAILED, dispatch, describe(thrown));
    }

    static String describe(Throwable thrown) {
        String text = thrown.getClass().getName() + (thrown.getMessage() == null ? "" : ": " + thrown.getMessage());
        return text.length() > 1000 ? text.substring(0, 1000) : text;
    }
}
