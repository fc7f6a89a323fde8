package clawperator.agent;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.app.Notification;
import android.content.Context;
import android.os.Build;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityManager;
import android.widget.TextView;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;

/** Events of apps, as the agent reports them. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 28, 30, 33, 34, 35}, manifest = Config.NONE, qualifiers = "w411dp-h891dp-xhdpi",
        shadows = {RealCode.Lists.class, RealCode.Records.class})
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public class EventTest {
    private static final int ACTIONS = 0x1033;
    Harness harness;

    Harness open() throws Exception {
        return new AgentHarness(0, new byte[32], 3600_000);
    }

    @Before
    public void start() throws Exception {
        harness = open();
        harness.show("controls");
    }

    @After
    public void stop() throws Exception {
        harness.close();
    }

    /** One reported event. */
    private static final class Told {
        final long number;
        final long lost;
        final long age;
        final long type;
        final String app;
        final String kind;
        final List<String> texts = new ArrayList<>();
        final boolean password;
        final boolean hasNode;
        String resource = "";
        String text = "";
        int[] place;

        Told(Frame frame) throws Failure {
            BodyReader body = new BodyReader(frame.body);
            assertEquals(0, frame.id);
            assertEquals(Protocol.APP_EVENT, body.uint());
            number = body.uint();
            lost = body.uint();
            age = body.uint();
            type = body.uint();
            app = body.text();
            kind = body.text();
            long count = body.uint();
            for (int i = 0; i < count; i++) texts.add(body.text());
            body.text();
            password = body.uint() == 1;
            for (int i = 0; i < 6; i++) body.integer();
            hasNode = body.uint() == 1;
            if (hasNode) {
                body.integer();
                body.text();
                resource = body.text();
                text = body.text();
                body.text();
                body.uint();
                place = new int[] {(int) body.integer(), (int) body.integer(), (int) body.integer(), (int) body.integer()};
            }
            body.end();
        }
    }

    private TestClient listener(int types) throws Exception {
        TestClient client = new TestClient(harness);
        TestClient.Reply reply = client.call(Protocol.LISTEN, TestClient.hello(harness.token(), 1, Protocol.VERSION).uint(types));
        assertTrue(reply.isDone());
        return client;
    }

    /** The next event of a type. */
    private Told told(TestClient client, int type) throws Exception {
        Told[] found = new Told[1];
        harness.until(() -> {
            try {
                for (Frame frame : client.messageFrames()) {
                    if (frame.body[0] != Protocol.APP_EVENT) continue;
                    Told told = new Told(frame);
                    if (told.type == type) found[0] = told;
                }
            } catch (Failure e) {
                throw new IllegalStateException(e);
            }
            return found[0] != null;
        });
        return found[0];
    }

    /** Sends an event as the system's classes do. */
    private void send(AccessibilityEvent event) {
        event.setPackageName("com.example");
        event.setEventTime(android.os.SystemClock.uptimeMillis());
        ((AccessibilityManager) harness.app.getSystemService(Context.ACCESSIBILITY_SERVICE)).sendAccessibilityEvent(event);
    }

    private void toast(String text) {
        AccessibilityEvent event = AccessibilityEvent.obtain(AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED);
        event.setClassName(android.widget.Toast.class.getName());
        TextView view = new TextView(harness.app);
        view.setText(text);
        // Toasts have their view fill the event in.
        view.dispatchPopulateAccessibilityEvent(event);
        send(event);
    }

    @Test
    public void aToastIsToldWithoutAnObservation() throws Exception {
        try (TestClient client = TestClient.connected(harness)) {
            toast("Gespeichert \u2713");
            Told told = told(client, AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED);
            assertEquals(1, told.number);
            assertEquals(0, told.lost);
            assertTrue("" + told.age, told.age < 5000);
            assertEquals("com.example", told.app);
            assertEquals("android.widget.Toast", told.kind);
            assertEquals(List.of("Gespeichert \u2713"), told.texts);
            assertFalse(told.hasNode);
            // A client gets no events of types that it did not request.
            Observation observation = client.observe();
            client.act(observation, "Tap", NodeActions.CLICK, "");
            harness.pumpFor(300);
            for (Frame frame : client.messageFrames()) {
                if (frame.body[0] == Protocol.APP_EVENT) assertEquals(0x40, new Told(frame).type);
            }
        }
    }

    @Test
    public void aNotificationWithoutTickerIsToldByItsTitleAndText() throws Exception {
        try (TestClient client = TestClient.connected(harness)) {
            AccessibilityEvent event = AccessibilityEvent.obtain(AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED);
            event.setClassName(Notification.class.getName());
            Notification notification = new Notification();
            notification.extras.putCharSequence(Notification.EXTRA_TITLE, "Anna");
            notification.extras.putCharSequence(Notification.EXTRA_TEXT, "Lunch?");
            event.setParcelableData(notification);
            send(event);
            Told told = told(client, AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED);
            assertEquals(List.of("Anna", "Lunch?"), told.texts);
        }
    }

    @Test
    public void aListenerIsToldOfClicksWithTheirNodesBesideAClient() throws Exception {
        try (TestClient listener = listener(ACTIONS); TestClient client = TestClient.connected(harness)) {
            Observation observation = client.observe();
            NodeRecord tap = observation.get("Tap");
            client.act(observation, "Tap", NodeActions.CLICK, "");
            Told told = told(listener, AccessibilityEvent.TYPE_VIEW_CLICKED);
            assertEquals("android.widget.Button", told.kind);
            assertEquals(List.of("Tap"), told.texts);
            assertTrue(told.hasNode);
            assertEquals("Tap", told.text);
            assertEquals(tap.left, told.place[0]);
            assertEquals(tap.right - tap.left, told.place[2]);
            toast("not asked for");
            harness.pumpFor(100);
            for (Frame frame : listener.messageFrames()) assertTrue(new Told(frame).type != 0x40);
            assertEquals("BAD_REQUEST/NOT_DONE",
                    listener.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(4).uint(0)).error());
            assertTrue(listener.call(Protocol.PING, new BodyWriter().uint(0)).isDone());
            try (TestClient other = new TestClient(harness)) {
                int id = other.send(Protocol.LISTEN, TestClient.hello(harness.token(), 1, Protocol.VERSION).uint(ACTIONS));
                assertEquals("BUSY/NOT_DONE", other.wait(id).error());
            }
        }
    }

    @Test
    public void aListenerObservesAndLeavesTheNodesOfTheClientValid() throws Exception {
        try (TestClient listener = listener(ACTIONS); TestClient client = TestClient.connected(harness)) {
            Observation clients = client.observe();
            harness.pumpFor(300);
            // More observations with another content than are kept for one client.
            for (int i = 0; i < 3; i++) {
                harness.app.name.setText("seen " + i);
                assertEquals("seen " + i, listener.observe().get("seen " + i).texts[NodeRecord.TEXT]);
            }
            client.act(clients, "Tap", NodeActions.CLICK, "");
            assertEquals("Tap", told(listener, AccessibilityEvent.TYPE_VIEW_CLICKED).text);
            // The listener gets the change after its own observation. Events of the tap before may come late.
            int before;
            do {
                before = changes(listener);
                listener.observe();
                harness.pumpFor(300);
            } while (changes(listener) > before);
            int told = before;
            client.act(clients, "Tap", NodeActions.CLICK, "");
            harness.until(() -> changes(listener) > told);
        }
    }

    private static int changes(TestClient client) {
        int count = 0;
        for (Frame frame : client.messageFrames()) {
            if (frame.body[0] == Protocol.CHANGED) count++;
        }
        return count;
    }

    @Test
    public void aListenerIsToldOfTheKeysThatTheClientPresses() throws Exception {
        try (TestClient listener = listener(ACTIONS | Protocol.KEY_PRESSED); TestClient client = TestClient.connected(harness)) {
            int back = android.view.KeyEvent.KEYCODE_BACK;
            assertTrue(client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(back).uint(0)).isDone());
            Told told = told(listener, Protocol.KEY_PRESSED);
            assertEquals(List.of("" + back), told.texts);
            assertFalse(told.hasNode);
        }
    }

    @Test
    public void textIsToldWithItsFieldAndThatOfPasswordsIsNot() throws Exception {
        try (TestClient listener = listener(ACTIONS)) {
            // Widgets report their text while they have the focus.
            harness.app.name.requestFocus();
            harness.app.name.append("Ada");
            Told told = told(listener, AccessibilityEvent.TYPE_VIEW_TEXT_CHANGED);
            assertEquals(List.of("Ada"), told.texts);
            assertEquals("Ada", told.text);
            assertEquals("android:id/edit", told.resource);
        }
        try (TestClient listener = listener(ACTIONS)) {
            harness.app.secret.requestFocus();
            harness.app.secret.append("geheim");
            Told told = told(listener, AccessibilityEvent.TYPE_VIEW_TEXT_CHANGED);
            assertTrue(told.password);
            assertEquals(List.of(), told.texts);
            assertEquals("", told.text);
        }
    }

    @Test
    public void eventsThatAreNotTakenInTimeAreCounted() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        ByteArrayOutputStream taken = new ByteArrayOutputStream() {
            @Override
            public void write(byte[] bytes, int from, int length) {
                try {
                    open.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                super.write(bytes, from, length);
            }
        };
        Changes changes = new Changes(new FrameWriter(taken), 0x40);
        changes.start();
        int sent = 0;
        for (; sent < 400; sent++) {
            changes.onEvent(AccessibilityEvent.obtain(AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED));
        }
        open.countDown();
        List<Told> all = new ArrayList<>();
        long known = 0;
        long end = System.nanoTime() + 20_000_000_000L;
        while (known < 400 && System.nanoTime() < end) {
            // The loss of the last ones is reported with the next event.
            changes.onEvent(AccessibilityEvent.obtain(AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED));
            sent++;
            harness.pumpFor(20);
            all.clear();
            known = 0;
            FrameReader reader = new FrameReader(new ByteArrayInputStream(taken.toByteArray()));
            Frame frame;
            while ((frame = reader.read(Protocol.LONGEST_FRAME)) != null) {
                Told told = new Told(frame);
                all.add(told);
                known += 1 + told.lost;
                assertEquals(all.size(), told.number);
            }
        }
        changes.end();
        assertTrue(known + " of " + sent + " are known", known >= 400);
        assertTrue(all.size() < 400);
    }
}
