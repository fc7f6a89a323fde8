package clawperator.agent;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.os.Build;
import android.view.KeyEvent;
import org.junit.Test;
import org.robolectric.annotation.Config;

/** ScreenTest with the accessibility service, including its limitations. */
@Config(shadows = {RealCode.Lists.class, RealCode.Records.class, RealCode.Services.class, LocalSockets.Listener.class,
        LocalSockets.Peer.class})
public class AppScreenTest extends ScreenTest {
    private static final int API = Build.VERSION.SDK_INT;

    @Override
    Harness open() throws Exception {
        return new AppHarness();
    }

    @Override
    boolean canRest() {
        return API >= 30;
    }

    @Override
    boolean canTouch() {
        return API >= 24;
    }

    @Override
    String lastLiftedPosition() {
        // The system lifts pointers in the order of the strokes.
        return "500,9";
    }

    @Override
    public void nodesArePrefetched() throws Exception {
        if (API >= 33) {
            super.nodesArePrefetched();
            return;
        }
        // Without a method to clear the cache, each node is refreshed.
        harness.show("inputs");
        client.observe();
        int before = harness.system.fetches.get();
        int nodes = client.observe().nodes().size();
        assertTrue(harness.system.fetches.get() - before >= nodes);
    }

    @Override
    public void textIsPastedIfFieldRefusesSetText() throws Exception {
        if (API < 29) {
            super.textIsPastedIfFieldRefusesSetText();
            return;
        }
        harness.show("controls");
        Observation observation = client.observe();
        harness.setClipboardNow("kept");
        harness.app.refuseSetText(harness.app.name);
        if (API >= 33) {
            client.act(observation.revision, observation.find("Name") + 1, NodeActions.FOCUS, "");
            assertEquals(SCRIPTS, textOf(client.act(observation, "Name", NodeActions.SET_TEXT, SCRIPTS)));
            assertEquals("shorter", textOf(client.act(observation, "Name", NodeActions.SET_TEXT, "shorter")));
            assertEquals("shorter", harness.app.name.getText().toString());
            assertEquals("secret", harness.app.secret.getText().toString());
            assertEquals("", textOf(client.act(observation, "Name", NodeActions.SET_TEXT, "")));
            assertEquals("kept", harness.clipboardNow());
            harness.system.withholdInput = true;
            client.act(observation.revision, observation.find("Name") + 1, NodeActions.FOCUS, "");
        }
        assertEquals("UNSUPPORTED/NOT_DONE", client.act(observation, "Name", NodeActions.SET_TEXT, SCRIPTS).error());
        assertEquals("", harness.app.name.getText().toString());
        assertEquals("kept", harness.clipboardNow());
    }

    @Override
    public void submitPerformsEditorAction() throws Exception {
        if (API >= 30) {
            super.submitPerformsEditorAction();
            return;
        }
        harness.show("controls");
        Observation observation = client.observe();
        assertEquals("UNSUPPORTED/NOT_DONE", client.act(observation, "Name", NodeActions.SUBMIT, "").error());
    }

    @Test
    public void touchesNeedAndroid7() throws Exception {
        TestClient.Reply reply = client.call(Protocol.TOUCH, TestClient.touch(30, new int[] {5, 5}));
        if (canTouch()) {
            assertTrue(reply.isDone());
        } else {
            assertEquals("UNSUPPORTED/NOT_DONE", reply.error());
        }
    }

    @Override
    public void keysGoToFocusedField() throws Exception {
        harness.show("controls");
        for (int code : new int[] {KeyEvent.KEYCODE_H, KeyEvent.KEYCODE_ENTER, KeyEvent.KEYCODE_VOLUME_UP, 0}) {
            TestClient.Reply reply = key(code, 0);
            assertEquals("UNSUPPORTED/NOT_DONE", reply.error());
            assertTrue(reply.message(), reply.message().contains("cannot press key " + code));
        }
        assertEquals("UNSUPPORTED/NOT_DONE", key(KeyEvent.KEYCODE_BACK, KeyEvent.META_SHIFT_ON).error());
        assertEquals(API >= 33 ? "REFUSED/NOT_DONE" : "UNSUPPORTED/NOT_DONE", key(KeyEvent.KEYCODE_DPAD_UP, 0).error());
        assertEquals("controls", harness.app.screen);
        assertTrue(key(KeyEvent.KEYCODE_BACK, 0).isDone());
        harness.pumpFor(50);
        assertEquals("home", harness.app.screen);
        assertTrue(key(KeyEvent.KEYCODE_APP_SWITCH, 0).isDone());
        assertEquals("REFUSED/NOT_DONE", key(KeyEvent.KEYCODE_NOTIFICATION, 0).error());
    }

    private TestClient.Reply key(int code, int meta) throws Exception {
        return client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(code).uint(meta));
    }

    @Override
    public void screenshotsHaveRequestedSizeAndFormat() throws Exception {
        BodyWriter request = screenshotRequest(0, 0, 0);
        TestClient.Reply reply = client.call(Protocol.SCREENSHOT, request);
        if (API < 30) {
            assertEquals("UNSUPPORTED/NOT_DONE", reply.error());
            return;
        }
        assertEquals("REFUSED/NOT_DONE", reply.error());
        assertTrue(reply.message(), reply.message().contains("a window forbids screenshots"));
        harness.system.screenshotError = 3;
        assertEquals("REFUSED/NOT_DONE", client.call(Protocol.SCREENSHOT, request).error());
        assertEquals("the system rejects screenshots in quick succession", 7, harness.system.screenshots.get());
        assertEquals("UNSUPPORTED/NOT_DONE", client.call(Protocol.SCREENSHOT, screenshotRequest(5, 0, 0)).error());
    }

    @Override
    public void clipboardIsReadAndWritten() throws Exception {
        if (API < 29) {
            super.clipboardIsReadAndWritten();
            return;
        }
        assertTrue(client.call(Protocol.CLIPBOARD, new BodyWriter().uint(0).uint(1).text(SCRIPTS)).isDone());
        assertEquals(SCRIPTS, harness.clipboardNow());
        assertEquals("UNSUPPORTED/NOT_DONE", client.call(Protocol.CLIPBOARD, new BodyWriter().uint(0).uint(0).text("")).error());
    }

    @Override
    public void rotationIsSet() throws Exception {
        assertEquals("UNSUPPORTED/NOT_DONE", client.call(Protocol.ROTATE, new BodyWriter().uint(0).uint(1)).error());
    }

    @Override
    public void serviceRequestsWindowsIdsAndAllViews() {
        assertEquals(SERVICE_FLAGS, harness.system.info.flags & SERVICE_FLAGS);
        assertEquals(-1, harness.system.info.eventTypes);
    }
}
