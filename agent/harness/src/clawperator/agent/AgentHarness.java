package clawperator.agent;

import android.os.HandlerThread;

/** The agent form: a device with the UiAutomation of FakeSystem, and the server on TCP. */
final class AgentHarness extends Harness {
    final HarnessDevice device;
    final TcpTransport transport;
    final Server server;
    final Thread serving;
    private final byte[] token;

    AgentHarness(int port, byte[] token, long idle) throws Exception {
        this.token = token;
        system.install();
        HandlerThread events = new HandlerThread("events");
        events.start();
        device = new HarnessDevice(this, events.getLooper());
        callWhilePumping(() -> {
            device.open();
            return null;
        });
        showApp();
        transport = new TcpTransport(port);
        server = new Server(transport, token, new byte[0], idle, device);
        serving = new Thread("server") {
            @Override
            public void run() {
                try {
                    server.run();
                } catch (InterruptedException ignored) {
                    // The thread is never interrupted.
                }
            }
        };
        serving.setDaemon(true);
        serving.start();
    }

    @Override
    int port() {
        return transport.port();
    }

    @Override
    boolean isServing() {
        return serving.isAlive();
    }

    @Override
    byte[] token() {
        return token;
    }

    /** Disconnects the UiAutomation, as the system does when the user is switched. */
    void disconnect() throws Exception {
        system.disconnect();
        until(() -> !system.isConnected());
    }

    @Override
    public void close() throws Exception {
        server.end();
        until(() -> !serving.isAlive());
        transport.close();
        device.close();
        super.close();
    }
}
