package clawperator.agent;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Where clients come from: an abstract socket on the phone, TCP in the bench. */
interface Transport extends Closeable {
    Connection accept() throws IOException;

    /** One client. */
    interface Connection extends Closeable {
        InputStream input() throws IOException;

        OutputStream output() throws IOException;

        /** Whether this peer may use the agent at all. */
        boolean isAllowed() throws IOException;

        /** How long a read may wait, in ms; 0 for ever. */
        void limitReads(int millis) throws IOException;

        /** Ends the own direction, so that the peer reads what was sent and then the end. */
        void shutdownOutput() throws IOException;
    }
}
