package clawperator.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Accepts clients over TCP on the loopback interface. */
final class TcpTransport implements Transport {
    private final ServerSocket server;
    volatile boolean allowsPeers = true;

    TcpTransport(int port) throws IOException {
        server = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.1"));
    }

    int port() {
        return server.getLocalPort();
    }

    @Override
    public Connection accept() throws IOException {
        final Socket client = server.accept();
        client.setTcpNoDelay(true);
        return new Connection() {
            @Override
            public InputStream input() throws IOException {
                return client.getInputStream();
            }

            @Override
            public OutputStream output() throws IOException {
                return client.getOutputStream();
            }

            @Override
            public boolean isAllowed() {
                return allowsPeers;
            }

            @Override
            public void setReadTimeout(int millis) throws IOException {
                client.setSoTimeout(millis);
            }

            @Override
            public void shutdownOutput() throws IOException {
                client.shutdownOutput();
            }

            @Override
            public void close() throws IOException {
                client.close();
            }
        };
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
