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

/** Tests of the reported accessibility events. */
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
    private static final class ReportedEvent {
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
        int[] bounds;

        ReportedEvent(Frame frame) throws Failure {
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
                bounds = new int[] {(int) body.integer(), (int) body.integer(), (int) body.integer(), (int) body.integer()};
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
    private ReportedEvent nextEvent(TestClient client, int type) throws Exception {
        ReportedEvent[] found = new ReportedEvent[1];
        harness.until(() -> {
            try {
                for (Frame frame : client.messageFrames()) {
                    if (frame.body[0] != Protocol.APP_EVENT) continue;
                    ReportedEvent event = new ReportedEvent(frame);
                    if (event.type == type) found[0] = event;
                }
            } catch (Failure e) {
                throw new IllegalStateException(e);
            }
            return found[0] != null;
        });
        return found[0];
    }

    /** Sends an event in the same way as classes of the platform. */
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
        // A toast lets its view populate the event.
        view.dispatchPopulateAccessibilityEvent(event);
        send(event);
    }

    @Test
    public void toastIsReportedWithoutObservation() throws Exception {
        try (TestClient client = TestClient.connected(harness)) {
            toast("Gespeichert \u2713");
            ReportedEvent event = nextEvent(client, AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED);
            assertEquals(1, event.number);
            assertEquals(0, event.lost);
            assertTrue("" + event.age, event.age < 5000);
            assertEquals("com.example", event.app);
            assertEquals("android.widget.Toast", event.kind);
            assertEquals(List.of("Gespeichert \u2713"), event.texts);
            assertFalse(event.hasNode);
            // A client gets no events of types that it did not request.
            Observation observation = client.observe();
            client.act(observation, "Tap", NodeActions.CLICK, "");
            harness.pumpFor(300);
            for (Frame frame : client.messageFrames()) {
                if (frame.body[0] == Protocol.APP_EVENT) assertEquals(0x40, new ReportedEvent(frame).type);
            }
        }
    }

    @Test
    public void notificationWithoutTickerIsReportedWithTitleAndText() throws Exception {
        try (TestClient client = TestClient.connected(harness)) {
            AccessibilityEvent event = AccessibilityEvent.obtain(AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED);
            event.setClassName(Notification.class.getName());
            Notification notification = new Notification();
            notification.extras.putCharSequence(Notification.EXTRA_TITLE, "Anna");
            notification.extras.putCharSequence(Notification.EXTRA_TEXT, "Lunch?");
            event.setParcelableData(notification);
            send(event);
            ReportedEvent reported = nextEvent(client, AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED);
            assertEquals(List.of("Anna", "Lunch?"), reported.texts);
        }
    }

    @Test
    public void listenerReceivesClicksWithNodes() throws Exception {
        try (TestClient listener = listener(ACTIONS); TestClient client = TestClient.connected(harness)) {
            Observation observation = client.observe();
            NodeRecord tap = observation.get("Tap");
            client.act(observation, "Tap", NodeActions.CLICK, "");
            ReportedEvent event = nextEvent(listener, AccessibilityEvent.TYPE_VIEW_CLICKED);
            assertEquals("android.widget.Button", event.kind);
            assertEquals(List.of("Tap"), event.texts);
            assertTrue(event.hasNode);
            assertEquals("Tap", event.text);
            assertEquals(tap.left, event.bounds[0]);
            assertEquals(tap.right - tap.left, event.bounds[2]);
            toast("not requested");
            harness.pumpFor(100);
            for (Frame frame : listener.messageFrames()) assertTrue(new ReportedEvent(frame).type != 0x40);
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
    public void observationsOfListenerKeepNodesOfClientValid() throws Exception {
        try (TestClient listener = listener(ACTIONS); TestClient client = TestClient.connected(harness)) {
            Observation clientObservation = client.observe();
            harness.pumpFor(300);
            // More observations than are stored for one client.
            for (int i = 0; i < 3; i++) {
                harness.app.name.setText("seen " + i);
                assertEquals("seen " + i, listener.observe().get("seen " + i).texts[NodeRecord.TEXT]);
            }
            client.act(clientObservation, "Tap", NodeActions.CLICK, "");
            assertEquals("Tap", nextEvent(listener, AccessibilityEvent.TYPE_VIEW_CLICKED).text);
            // The listener gets the change after its own observation. Events of the previous tap may be late.
            int count;
            do {
                count = changes(listener);
                listener.observe();
                harness.pumpFor(300);
            } while (changes(listener) > count);
            int before = count;
            client.act(clientObservation, "Tap", NodeActions.CLICK, "");
            harness.until(() -> changes(listener) > before);
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
    public void listenerReceivesKeysOfTheClient() throws Exception {
        try (TestClient listener = listener(ACTIONS | Protocol.KEY_PRESSED); TestClient client = TestClient.connected(harness)) {
            int back = android.view.KeyEvent.KEYCODE_BACK;
            assertTrue(client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(back).uint(0)).isDone());
            ReportedEvent event = nextEvent(listener, Protocol.KEY_PRESSED);
            assertEquals(List.of("" + back), event.texts);
            assertFalse(event.hasNode);
        }
    }

    @Test
    public void textEventsOmitPasswords() throws Exception {
        try (TestClient listener = listener(ACTIONS)) {
            // Widgets report their text while they have the focus.
            harness.app.name.requestFocus();
            harness.app.name.append("Ada");
            ReportedEvent event = nextEvent(listener, AccessibilityEvent.TYPE_VIEW_TEXT_CHANGED);
            assertEquals(List.of("Ada"), event.texts);
            assertEquals("Ada", event.text);
            assertEquals("android:id/edit", event.resource);
        }
        try (TestClient listener = listener(ACTIONS)) {
            harness.app.secret.requestFocus();
            harness.app.secret.append("geheim");
            ReportedEvent event = nextEvent(listener, AccessibilityEvent.TYPE_VIEW_TEXT_CHANGED);
            assertTrue(event.password);
            assertEquals(List.of(), event.texts);
            assertEquals("", event.text);
        }
    }

    @Test
    public void droppedEventsAreCounted() throws Exception {
        CountDownLatch unblocked = new CountDownLatch(1);
        ByteArrayOutputStream output = new ByteArrayOutputStream() {
            @Override
            public void write(byte[] bytes, int from, int length) {
                try {
                    unblocked.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                super.write(bytes, from, length);
            }
        };
        ChangeNotifier notifier = new ChangeNotifier(new FrameWriter(output), 0x40);
        notifier.start();
        int sent = 0;
        for (; sent < 400; sent++) {
            notifier.onEvent(AccessibilityEvent.obtain(AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED));
        }
        unblocked.countDown();
        List<ReportedEvent> all = new ArrayList<>();
        long counted = 0;
        long end = System.nanoTime() + 20_000_000_000L;
        while (counted < 400 && System.nanoTime() < end) {
            // Lost events are reported with the next event.
            notifier.onEvent(AccessibilityEvent.obtain(AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED));
            sent++;
            harness.pumpFor(20);
            all.clear();
            counted = 0;
            FrameReader reader = new FrameReader(new ByteArrayInputStream(output.toByteArray()));
            Frame frame;
            while ((frame = reader.read(Protocol.MAX_FRAME_LENGTH)) != null) {
                ReportedEvent event = new ReportedEvent(frame);
                all.add(event);
                counted += 1 + event.lost;
                assertEquals(all.size(), event.number);
            }
        }
        notifier.end();
        assertTrue(counted + " of " + sent + " were counted", counted >= 400);
        assertTrue(all.size() < 400);
    }
}
