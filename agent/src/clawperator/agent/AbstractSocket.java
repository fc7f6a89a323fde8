package clawperator.agent;

import android.net.LocalServerSocket;
import android.net.LocalSocket;
import android.system.ErrnoException;
import android.system.Os;
import android.system.OsConstants;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Accepts clients on a Unix socket in the abstract namespace, only root and the shell user. */
final class AbstractSocket implements Transport {
    private static final int ROOT = 0;
    private static final int SHELL = 2000;
    private final LocalServerSocket socket;

    AbstractSocket(String name) throws IOException {
        socket = new LocalServerSocket(name);
    }

    /** Whether a user may use the agent. */
    static boolean isAllowedUid(int uid) {
        return uid == ROOT || uid == SHELL;
    }

    @Override
    public Connection accept() throws IOException {
        return new Peer(socket.accept());
    }

    @Override
    public void close() throws IOException {
        try {
            // Closing the socket neither wakes a thread in accept nor prevents one more connection.
            Os.shutdown(socket.getFileDescriptor(), OsConstants.SHUT_RDWR);
        } catch (ErrnoException ignored) {
            // It is closed below.
        }
        socket.close();
    }

    private static final class Peer implements Connection {
        private final LocalSocket socket;

        Peer(LocalSocket socket) {
            this.socket = socket;
        }

        @Override
        public InputStream input() throws IOException {
            return socket.getInputStream();
        }

        @Override
        public OutputStream output() throws IOException {
            return socket.getOutputStream();
        }

        @Override
        public boolean isAllowed() throws IOException {
            return isAllowedUid(socket.getPeerCredentials().getUid());
        }

        @Override
        public void setReadTimeout(int millis) throws IOException {
            socket.setSoTimeout(millis);
        }

        @Override
        public void shutdownOutput() throws IOException {
            socket.shutdownOutput();
        }

        @Override
        public void close() throws IOException {
            // Closing the socket does not wake a reading thread.
            try {
                socket.shutdownInput();
                socket.shutdownOutput();
            } catch (IOException ignored) {
                // The peer has already disconnected.
            }
            socket.close();
        }
    }
}
