package clawperator.agent;

import android.os.HandlerThread;

/** The agent that a shell starts: its device on the stand-in's UiAutomation, and the shipped server on TCP. */
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
                    // Nobody interrupts it.
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

    /** What the system does when it ends the agent's service, for instance when the user is switched. */
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
