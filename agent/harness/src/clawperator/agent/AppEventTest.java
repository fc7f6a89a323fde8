package clawperator.agent;

import org.robolectric.annotation.Config;

/** EventTest with the accessibility service. */
@Config(shadows = {RealCode.Lists.class, RealCode.Records.class, RealCode.Services.class, LocalSockets.Listener.class,
        LocalSockets.Peer.class})
public class AppEventTest extends EventTest {
    @Override
    Harness open() throws Exception {
        return new AppHarness();
    }
}
