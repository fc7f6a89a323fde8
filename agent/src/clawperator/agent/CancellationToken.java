package clawperator.agent;

/** Cancellation flag of a running request. */
final class CancellationToken {
    private boolean cancelled;

    synchronized void cancel() {
        cancelled = true;
        notifyAll();
    }

    synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Waits until `deadline` of System.nanoTime; false if it was cancelled before. */
    synchronized boolean waitUntil(long deadline) throws InterruptedException {
        while (!cancelled) {
            long remaining = deadline - System.nanoTime();
            if (remaining <= 0) return true;
            wait(remaining / 1000000, (int) (remaining % 1000000));
        }
        return false;
    }

    /** Fails if it was cancelled. */
    void check(int dispatch) throws Failure {
        if (isCancelled()) throw new Failure(Protocol.CODE_CANCELLED, dispatch, "cancelled");
    }
}
