package clawperator.agent;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;

/** Not a test: serves the bench's app on a port until standard input ends (agent/bench-serve). */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 28, 30, 33, 34, 35}, manifest = Config.NONE, qualifiers = "w411dp-h891dp-xhdpi",
        shadows = {RealCode.Lists.class, RealCode.Records.class, RealCode.Automations.class, RealCode.Services.class,
                LocalSockets.Listener.class, LocalSockets.Peer.class})
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public class Serve {
    private static final long IDLE = 24L * 3600 * 1000;

    @Test
    public void serve() throws Exception {
        byte[] token = Hex.decode(System.getenv("CLAWPERATOR_BENCH_TOKEN"));
        AtomicBoolean ended = new AtomicBoolean();
        Thread input = new Thread(() -> {
            try {
                while (System.in.read() >= 0) continue;
            } catch (java.io.IOException e) {
                // The same as its end.
            }
            ended.set(true);
        });
        input.setDaemon(true);
        input.start();
        boolean app = "app".equals(System.getenv("CLAWPERATOR_BENCH_FORM"));
        try (Bench bench = app ? new AppBench() : new AgentBench(Integer.getInteger("bench.port"), token, IDLE)) {
            String first = System.getenv("CLAWPERATOR_BENCH_SCREEN");
            if (first != null && !first.isEmpty()) bench.show(first);
            System.out.println("ready " + bench.port() + " " + Hex.encode(bench.token()));
            System.out.flush();
            while (!ended.get() && bench.isServing()) bench.pump();
        }
    }
}
