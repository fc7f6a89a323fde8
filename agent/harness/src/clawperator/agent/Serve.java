package clawperator.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;

/** Not a test: serves the apps of the harness on a port until standard input ends (agent/harness-serve). */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 28, 30, 33, 34, 35}, manifest = Config.NONE, qualifiers = "w360dp-h780dp-xxhdpi",
        shadows = {RealCode.Lists.class, RealCode.Records.class, RealCode.Automations.class, RealCode.Services.class,
                LocalSockets.Listener.class, LocalSockets.Peer.class})
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public class Serve {
    private static final long IDLE = 24L * 3600 * 1000;
    /** Timeout of the shutdown. */
    private static final long SHUTDOWN_TIMEOUT_MS = 10000;

    @Test
    public void serve() throws Exception {
        byte[] token = Hex.decode(System.getenv("CLAWPERATOR_HARNESS_TOKEN"));
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        AtomicBoolean ended = new AtomicBoolean();
        Thread input = new Thread(() -> {
            try {
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                for (String line = lines.readLine(); line != null; line = lines.readLine()) commands.add(line);
            } catch (IOException e) {
                // Handled like the end of the input.
            }
            ended.set(true);
            try {
                Thread.sleep(SHUTDOWN_TIMEOUT_MS);
            } catch (InterruptedException e) {
                // The thread is never interrupted.
            }
            // The main thread hangs.
            Runtime.getRuntime().halt(1);
        });
        input.setDaemon(true);
        input.start();
        boolean app = "app".equals(System.getenv("CLAWPERATOR_HARNESS_FORM"));
        try (Harness harness = app ? new AppHarness() : new AgentHarness(Integer.getInteger("harness.port"), token, IDLE)) {
            reply("ready " + harness.port() + " " + Bytes.hex(harness.token()));
            while (!ended.get() && harness.isServing()) {
                harness.pump();
                String command = commands.poll();
                if (command != null) reply("done " + execute(harness, command));
            }
        }
    }

    private static void reply(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static String execute(Harness harness, String command) throws Exception {
        String[] words = command.split(" ", 2);
        switch (words[0]) {
            case "screen":
                harness.clear();
                harness.bringToFront(Harness.SCREENS);
                harness.show(words[1]);
                return "";
            case "app":
                harness.clear();
                harness.bringToFront(words[1]);
                return "";
            case "front":
                harness.bringToFront(words[1]);
                return "";
            case "stop":
                harness.stop(words[1]);
                return "";
            case "change":
                harness.system.eventTime = 0;
                harness.app.change(Integer.parseInt(words[1]));
                harness.until(() -> harness.system.eventTime != 0);
                return Long.toString(harness.system.eventTime);
            case "framework":
                return Long.toString(((AgentHarness) harness).device.frameworkNanos(words[1]));
            case "journal":
                // Effects of a touch follow the touch.
                harness.pumpFor(20);
                return harness.player.journal.toString();
            default:
                throw new IllegalArgumentException(command);
        }
    }
}
