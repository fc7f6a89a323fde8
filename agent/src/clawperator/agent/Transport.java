package clawperator.agent;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Accepts clients: on an abstract socket on phones, over TCP in tests. */
interface Transport extends Closeable {
    Connection accept() throws IOException;

    /** One client. */
    interface Connection extends Closeable {
        InputStream input() throws IOException;

        OutputStream output() throws IOException;

        /** Whether the peer may use the agent. */
        boolean isAllowed() throws IOException;

        /** Sets the timeout of reads; 0 for none. */
        void setReadTimeout(int millis) throws IOException;

        /** Closes the output: the peer reads the remaining bytes, then the end of the stream. */
        void shutdownOutput() throws IOException;
    }
}
