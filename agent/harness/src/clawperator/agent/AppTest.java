package clawperator.agent;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import android.app.Notification;
import android.app.NotificationManager;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import android.provider.Settings;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.TextView;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowService;

/** Tests of the app form: its clients, its end, and its status screen. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 28, 30, 33, 34, 35}, manifest = Config.NONE, qualifiers = "w411dp-h891dp-xhdpi",
        shadows = {RealCode.Lists.class, RealCode.Records.class, RealCode.Services.class, LocalSockets.Listener.class,
                LocalSockets.Peer.class})
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public class AppTest {
    private static final int API = Build.VERSION.SDK_INT;
    private static final int OTHER_UID = 10123;
    private AppHarness harness;

    @Before
    public void start() throws Exception {
        harness = new AppHarness();
    }

    @After
    public void stop() throws Exception {
        harness.close();
    }

    @Test
    public void handshakeReturnsForm() throws Exception {
        try (TestClient client = new TestClient(harness)) {
            BodyReader body = client.call(Protocol.HELLO, TestClient.hello(harness.token(), 1, Protocol.VERSION)).body();
            assertEquals(Protocol.VERSION, body.uint());
            assertEquals(Protocol.FORM_APP, body.uint());
            body.bytes();
            assertEquals(API, body.uint());
            assertEquals(android.os.Process.myPid(), body.uint());
            int expected = 32 | (API >= 24 ? 16 : 0) | (API >= 30 ? 2 | 8 | 64 : 0) | (API < 29 ? 4 : 0);
            assertEquals(expected, body.uint());
            assertEquals(822, body.uint());
            assertEquals(1782, body.uint());
            assertEquals(0, body.uint());
            assertEquals(320, body.uint());
            body.end();
        }
    }

    @Test
    public void peersOfOtherUsersGetNoAnswer() throws Exception {
        LocalSockets.peerUid = OTHER_UID;
        LocalSockets.reads = 0;
        try (TestClient client = new TestClient(harness)) {
            // It is rejected before it sends anything.
            harness.until(client::isEnded);
        }
        assertEquals(0, LocalSockets.reads);
        for (int user : new int[] {0, AppHarness.SHELL}) {
            LocalSockets.peerUid = user;
            TestClient.connected(harness).close();
        }
    }

    @Test
    public void tokenIsRequired() throws Exception {
        try (TestClient client = new TestClient(harness)) {
            assertEquals("TOKEN/NOT_DONE", client.call(Protocol.HELLO, TestClient.hello(new byte[32], 1, Protocol.VERSION)).error());
            harness.until(client::isEnded);
        }
    }

    @Test
    public void onlyShellAndRootCanReadTheToken() {
        assertTrue(harness.line(AppHarness.SHELL).startsWith("clawperator-agent ready " + Protocol.VERSION + " clawperator-"));
        assertEquals(harness.line(AppHarness.SHELL), harness.line(0));
        for (int user : new int[] {OTHER_UID, 1000, 2001}) {
            assertThrows(SecurityException.class, () -> harness.line(user));
        }
    }

    @Test
    public void secondClientGetsBusy() throws Exception {
        try (TestClient first = TestClient.connected(harness); TestClient second = new TestClient(harness)) {
            assertEquals("BUSY/NOT_DONE", second.call(Protocol.HELLO, TestClient.hello(harness.token(), 1, Protocol.VERSION)).error());
            assertTrue(first.call(Protocol.PING, new BodyWriter().uint(0)).isDone());
        }
        TestClient.connected(harness).close();
    }

    @Test
    public void quitRestartsServerWithNewNameAndToken() throws Exception {
        String before = harness.line(AppHarness.SHELL);
        String socket = harness.socket();
        try (TestClient client = TestClient.connected(harness)) {
            assertTrue(client.call(Protocol.QUIT, new BodyWriter().uint(0)).isDone());
            harness.until(client::isEnded);
        }
        harness.until(() -> !harness.line(AppHarness.SHELL).equals(before) && harness.line(AppHarness.SHELL).contains(" ready "));
        assertNotEquals(socket, harness.socket());
        assertEquals(-1, LocalSockets.port(socket));
        TestClient.connected(harness).close();
    }

    @Test
    public void failureEndsOnlyItsRequest() throws Exception {
        try (TestClient client = TestClient.connected(harness)) {
            harness.system.failWindows = true;
            assertEquals("FAILED/NOT_DONE", client.call(Protocol.OBSERVE, new BodyWriter().uint(0).uint(0).uint(0)).error());
            harness.system.failWindows = false;
            client.observe().requireComplete();
        }
    }

    @Test
    public void gesturesHaveLimits() throws Exception {
        if (API < 24) return;
        try (TestClient client = TestClient.connected(harness)) {
            assertEquals("UNSUPPORTED/NOT_DONE", touch(client, TestClient.touch(60001, new int[] {5, 5})).error());
            assertEquals("UNSUPPORTED/NOT_DONE", touch(client, TestClient.touch(10, new int[] {5, 5, -1, 5})).error());
            assertEquals("UNSUPPORTED/NOT_DONE", touch(client, TestClient.touch(0, 59000, 1001, new int[] {5, 5})).error());
            assertEquals("UNSUPPORTED/NOT_DONE", touch(client, TestClient.touch(0, 1, 1000, new int[] {5, 5, 5, 50})).error());
            assertEquals("UNSUPPORTED/NOT_DONE", touch(client, TestClient.touch(1000, 1, 0, new int[] {5, 5, 5, 50})).error());
            assertTrue(harness.player.injected.isEmpty());
            assertTrue(touch(client, TestClient.touch(0, new int[] {5, 5})).isDone());
            harness.system.cancelGestures = true;
            TestClient.Reply reply = touch(client, TestClient.touch(10, new int[] {5, 5}));
            assertEquals("REFUSED/UNKNOWN", reply.error());
            assertTrue(reply.message(), reply.message().contains("cancelled the gesture"));
        }
    }

    private static TestClient.Reply touch(TestClient client, BodyWriter body) throws Exception {
        return client.call(Protocol.TOUCH, body);
    }

    private ShadowService shadow() {
        return Shadow.extract(harness.service);
    }

    private NotificationManager notifications() {
        return (NotificationManager) RuntimeEnvironment.getApplication().getSystemService(Context.NOTIFICATION_SERVICE);
    }

    @Test
    public void notificationHasStopButton() throws Exception {
        Notification notification = shadow().getLastForegroundNotification();
        assertTrue((notification.flags & Notification.FLAG_ONGOING_EVENT) != 0);
        assertEquals(1, notification.actions.length);
        assertEquals("Stop", notification.actions[0].title.toString());
        Intent sent = Shadows.shadowOf(notification.actions[0].actionIntent).getSavedIntent();
        assertEquals(StopReceiver.class.getName(), sent.getComponent().getClassName());
        assertTrue(Shadows.shadowOf(notification.actions[0].actionIntent).isBroadcastIntent());
        String socket = harness.socket();
        try (TestClient client = TestClient.connected(harness)) {
            new StopReceiver().onReceive(RuntimeEnvironment.getApplication(), sent);
            harness.until(client::isEnded);
        }
        harness.until(() -> LocalSockets.port(socket) < 0);
        assertNull(RuntimeService.current());
        assertTrue(shadow().isForegroundStopped());
        assertEquals(API >= 24, harness.system.disabled);
        assertEquals("clawperator-agent failed SERVICE_OFF the accessibility service is switched off", harness.line(AppHarness.SHELL));
    }

    @Test
    public void unbindingEndsTheServer() throws Exception {
        String socket = harness.socket();
        try (TestClient client = TestClient.connected(harness)) {
            harness.service.onUnbind(new Intent());
            harness.until(client::isEnded);
        }
        harness.until(() -> LocalSockets.port(socket) < 0);
        enable("com.example/.Reader:" + component());
        assertTrue(harness.line(AppHarness.SHELL), harness.line(AppHarness.SHELL).contains("SERVICE_OFF the accessibility service is switched on, but"));
    }

    private static String component() {
        return RuntimeEnvironment.getApplication().getPackageName() + "/" + RuntimeService.class.getName();
    }

    private static void enable(String services) {
        Settings.Secure.putString(RuntimeEnvironment.getApplication().getContentResolver(),
                Settings.Secure.ENABLED_ACCESSIBILITY_SERVICES, services);
    }

    @Test
    public void statusScreenShowsStateAndMissingSettings() throws Exception {
        ActivityController<StatusActivity> controller = Robolectric.buildActivity(StatusActivity.class).setup();
        StatusActivity activity = controller.get();
        assertShown(activity, "Service: on");
        assertShown(activity, "Connection: open for a computer that this phone trusts (adb)");
        assertShown(activity, "Notification: allowed");
        assertShown(activity, "protocol " + Protocol.VERSION);
        assertShown(activity, "SHA-256 of the app: ");
        assertFalse(find(activity.getWindow().getDecorView(), "Allow notifications").isShown());
        try (TestClient client = TestClient.connected(harness)) {
            assertShown(activity, "Connection: a computer is connected through adb");
        }
        if (API >= 24) {
            Shadows.shadowOf(notifications()).setNotificationsEnabled(false);
            assertShown(activity, "Notification: not allowed");
            assertEquals(View.VISIBLE, find(activity.getWindow().getDecorView(), "Allow notifications").getVisibility());
        }
        Button stop = find(activity.getWindow().getDecorView(), "Stop");
        assertTrue(stop.isEnabled());
        stop.performClick();
        assertShown(activity, "Service: off. Switch it on in the accessibility settings.");
        assertShown(activity, "Connection: closed, because the service is off");
        assertFalse(stop.isEnabled());
        enable(component());
        assertShown(activity, "Service: off. It is switched on in the settings, but Android does not run it");
        find(activity.getWindow().getDecorView(), "Accessibility settings").performClick();
        assertEquals(Settings.ACTION_ACCESSIBILITY_SETTINGS, Shadows.shadowOf(activity).getNextStartedActivity().getAction());
        controller.pause().stop().destroy();
    }

    /** The screen is refreshed once a second. */
    private void assertShown(StatusActivity activity, String text) throws Exception {
        TextView status = (TextView) ((ViewGroup) ((ViewGroup) ((ViewGroup) activity.findViewById(android.R.id.content)).getChildAt(0))
                .getChildAt(0)).getChildAt(0);
        long end = System.nanoTime() + 10_000_000_000L;
        while (!status.getText().toString().contains(text) && System.nanoTime() < end) harness.pump();
        assertTrue(status.getText().toString(), status.getText().toString().contains(text));
    }

    private static Button find(View view, String text) {
        if (view instanceof Button && text.contentEquals(((Button) view).getText())) return (Button) view;
        if (!(view instanceof ViewGroup)) return null;
        ViewGroup group = (ViewGroup) view;
        for (int i = 0; i < group.getChildCount(); i++) {
            Button found = find(group.getChildAt(i), text);
            if (found != null) return found;
        }
        return null;
    }

    @Test
    public void globalActionsDependOnLevel() {
        assertEquals(1, SystemKeys.action(4, 23));
        assertEquals(2, SystemKeys.action(3, 23));
        assertEquals(3, SystemKeys.action(187, 23));
        assertEquals(0, SystemKeys.action(120, 27));
        assertEquals(9, SystemKeys.action(120, 28));
        assertEquals(0, SystemKeys.action(66, 35));
    }
}
