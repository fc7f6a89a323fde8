package clawperator.agent;

/** Tells a running request that it is to end. */
final class Cancel {
    private boolean cancelled;

    synchronized void cancel() {
        cancelled = true;
        notifyAll();
    }

    synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Waits until `deadline` of System.nanoTime; false when it was cancelled before. */
    synchronized boolean waitUntil(long deadline) throws InterruptedException {
        while (!cancelled) {
            long rest = deadline - System.nanoTime();
            if (rest <= 0) return true;
            wait(rest / 1000000, (int) (rest % 1000000));
        }
        return false;
    }

    /** Fails when it was cancelled. */
    void check(int dispatch) throws Failure {
        if (isCancelled()) throw new Failure(Protocol.CODE_CANCELLED, dispatch, "cancelled");
    }
}
