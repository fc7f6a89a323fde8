package clawperator.agent;

import android.net.Credentials;
import android.net.LocalServerSocket;
import android.net.LocalSocket;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadow.api.Shadow;

/** Shadows abstract sockets with loopback ports. Tests set the uid of peers. */
public final class LocalSockets {
    private static final Map<String, ServerSocket> LISTENING = new ConcurrentHashMap<>();
    /** The uid of peers that connect from now on. */
    static volatile int peerUid = 2000;
    /** Number of requested input streams. */
    static volatile int reads;

    /** The port of a name, or -1 without a listener. */
    static int port(String name) {
        ServerSocket socket = LISTENING.get(name);
        return socket == null ? -1 : socket.getLocalPort();
    }

    @Implements(LocalServerSocket.class)
    public static class Listener {
        private String name;
        private ServerSocket socket;

        @Implementation
        protected void __constructor__(String name) throws IOException {
            this.name = name;
            socket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
            if (LISTENING.putIfAbsent(name, socket) != null) throw new IOException("Address already in use");
        }

        @Implementation
        protected LocalSocket accept() throws IOException {
            Socket accepted = socket.accept();
            accepted.setTcpNoDelay(true);
            LocalSocket local = new LocalSocket();
            ((Peer) Shadow.extract(local)).take(accepted);
            return local;
        }

        @Implementation
        protected FileDescriptor getFileDescriptor() {
            return new FileDescriptor();
        }

        @Implementation
        protected void close() throws IOException {
            LISTENING.remove(name);
            socket.close();
        }
    }

    @Implements(LocalSocket.class)
    public static class Peer {
        private final int user = peerUid;
        private Socket socket;

        void take(Socket accepted) {
            socket = accepted;
        }

        @Implementation
        protected Credentials getPeerCredentials() {
            return new Credentials(1, user, user);
        }

        @Implementation
        protected InputStream getInputStream() throws IOException {
            reads++;
            return socket.getInputStream();
        }

        @Implementation
        protected OutputStream getOutputStream() throws IOException {
            return socket.getOutputStream();
        }

        @Implementation
        protected void setSoTimeout(int millis) throws IOException {
            socket.setSoTimeout(millis);
        }

        @Implementation
        protected void shutdownInput() throws IOException {
            socket.shutdownInput();
        }

        @Implementation
        protected void shutdownOutput() throws IOException {
            socket.shutdownOutput();
        }

        @Implementation
        protected void close() throws IOException {
            socket.close();
        }
    }

    private LocalSockets() {}
}
