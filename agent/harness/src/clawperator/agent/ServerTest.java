package clawperator.agent;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import android.view.KeyEvent;
import android.view.MotionEvent;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.net.Socket;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;

/** Tests of connections: handshake, malformed requests, cancellation, and shutdown. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 28, 30, 33, 34, 35}, manifest = Config.NONE, qualifiers = "w411dp-h891dp-xhdpi",
        shadows = {RealCode.Lists.class, RealCode.Records.class})
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public class ServerTest {
    private static final byte[] TOKEN = new byte[32];
    private static final long LONG = 3600_000;
    private AgentHarness harness;

    @Before
    public void start() throws Exception {
        harness = new AgentHarness(0, TOKEN, LONG);
    }

    @After
    public void stop() throws Exception {
        harness.close();
    }

    @Test
    public void handshakeReturnsVersionAndDevice() throws Exception {
        try (TestClient client = new TestClient(harness)) {
            BodyReader body = client.call(Protocol.HELLO, TestClient.hello(TOKEN, 1, 9)).body();
            assertEquals(Protocol.VERSION, body.uint());
            assertEquals(Protocol.FORM_AGENT, body.uint());
            assertEquals(0, body.bytes().length);
            int api = android.os.Build.VERSION.SDK_INT;
            assertEquals(api, body.uint());
            assertEquals(android.os.Process.myPid(), body.uint());
            assertEquals(api >= 30 ? 207 : 199, body.uint());
            assertEquals(822, body.uint());
            assertEquals(1782, body.uint());
            assertEquals(0, body.uint());
            assertEquals(320, body.uint());
            body.end();
        }
    }

    @Test
    public void unauthenticatedClientsAreRejected() throws Exception {
        byte[] wrong = new byte[32];
        wrong[31] = 1;
        assertRejected("TOKEN/NOT_DONE", Protocol.HELLO, TestClient.hello(wrong, 1, Protocol.VERSION));
        assertRejected("TOKEN/NOT_DONE", Protocol.HELLO, TestClient.hello(new byte[0], 1, Protocol.VERSION));
        assertRejected("TOKEN/NOT_DONE", Protocol.PING, new BodyWriter().uint(0));
        assertRejected("VERSION/NOT_DONE", Protocol.HELLO, TestClient.hello(TOKEN, Protocol.VERSION + 1, 9));
        assertRejected("VERSION/NOT_DONE", Protocol.HELLO, TestClient.hello(TOKEN, 0, Protocol.VERSION - 1));
        assertRejected("BAD_REQUEST/NOT_DONE", Protocol.HELLO, TestClient.hello(TOKEN, 1, Protocol.VERSION).uint(0));
        assertRejected("BAD_REQUEST/NOT_DONE", Protocol.HELLO, new BodyWriter().text("something else"));
        try (TestClient client = TestClient.connected(harness)) {
            assertTrue(client.call(Protocol.PING, new BodyWriter().uint(0)).isDone());
        }
    }

    private void assertRejected(String error, int kind, BodyWriter body) throws Exception {
        try (TestClient client = new TestClient(harness)) {
            TestClient.Reply reply = client.call(kind, body);
            assertEquals(error, reply.error());
            if (error.startsWith("1/")) assertEquals(Protocol.VERSION + "-" + Protocol.VERSION, reply.message());
            harness.until(client::isEnded);
        }
    }

    @Test
    public void peersOfOtherUsersGetNoAnswer() throws Exception {
        harness.transport.allowsPeers = false;
        try (TestClient client = new TestClient(harness)) {
            int id = client.send(Protocol.HELLO, TestClient.hello(TOKEN, 1, Protocol.VERSION));
            harness.until(client::isEnded);
            assertNull(client.find(id));
        }
    }

    @Test
    public void secondClientGetsBusy() throws Exception {
        try (TestClient first = TestClient.connected(harness)) {
            assertRejected("BUSY/NOT_DONE", Protocol.HELLO, TestClient.hello(TOKEN, 1, Protocol.VERSION));
            assertTrue(first.call(Protocol.PING, new BodyWriter().uint(0)).isDone());
        }
        // The permit is released immediately.
        for (int i = 0; i < 5; i++) TestClient.connected(harness).close();
    }

    @Test
    public void unauthenticatedConnectionsDoNotBlockTheClient() throws Exception {
        TestClient[] connections = new TestClient[40];
        try (TestClient client = TestClient.connected(harness)) {
            for (int i = 0; i < connections.length; i++) connections[i] = new TestClient(harness);
            assertTrue(client.call(Protocol.PING, new BodyWriter().uint(0)).isDone());
        } finally {
            for (TestClient connection : connections) connection.close();
        }
        harness.pumpFor(100);
        TestClient.connected(harness).close();
    }

    @Test
    public void malformedRequestsReturnErrors() throws Exception {
        try (TestClient client = TestClient.connected(harness)) {
            BodyWriter[] bodies = {
                new BodyWriter(), new BodyWriter().uint(0), new BodyWriter().uint(0).uint(0).uint(0).uint(0).uint(0).uint(0).uint(0),
                new BodyWriter().uint(0).uint(-1L).uint(-1L).uint(-1L), new BodyWriter().uint(0).uint(0).uint(0).uint(17),
                new BodyWriter().uint(0).uint(0).uint(1L << 40).uint(0).text(""), new BodyWriter().uint(0).uint(0).uint(50).uint(1).uint(10001),
            };
            int[] kinds = {Protocol.OBSERVE, Protocol.ACT, Protocol.TOUCH, Protocol.CLIPBOARD, 99, 0, 255};
            for (int kind : kinds) {
                for (BodyWriter body : bodies) {
                    String request = kind + " " + Bytes.hex(body.toBytes());
                    assertEquals(request, "BAD_REQUEST/NOT_DONE", client.call(kind, body).error());
                }
            }
            assertEquals("BAD_REQUEST/NOT_DONE", client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(4)).error());
            assertEquals("BAD_REQUEST/NOT_DONE", client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(4).uint(0).uint(0)).error());
            assertEquals("BAD_REQUEST/NOT_DONE", client.call(Protocol.SCREENSHOT, new BodyWriter().uint(0).uint(0).uint(101).uint(0)).error());
            assertEquals("BAD_REQUEST/NOT_DONE", client.call(Protocol.PING, new BodyWriter()).error());
            assertEquals("BAD_REQUEST/NOT_DONE", client.call(Protocol.PING, new BodyWriter().uint(0).uint(0)).error());
            assertEquals("BAD_REQUEST/NOT_DONE", client.call(Protocol.CANCEL, new BodyWriter()).error());
            assertEquals("BAD_REQUEST/NOT_DONE", client.call(Protocol.HELLO, TestClient.hello(TOKEN, 1, Protocol.VERSION)).error());
            assertTrue(client.call(Protocol.PING, new BodyWriter().uint(0)).isDone());
            client.sendRaw(new byte[] {0x7f, 0, 0, 0, 1}, 0, 5);
            harness.until(client::isEnded);
            assertEquals("BAD_REQUEST/NOT_DONE", client.find(0).error());
        }
        TestClient.connected(harness).close();
    }

    @Test
    public void agentSurvivesConnectionsCutAtEveryByte() throws Exception {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        FrameWriter writer = new FrameWriter(stream);
        writer.write(Protocol.HELLO, 1, TestClient.hello(TOKEN, 1, Protocol.VERSION));
        writer.write(Protocol.OBSERVE, 2, new BodyWriter().uint(0).uint(0).uint(0));
        writer.write(Protocol.TOUCH, 3, TestClient.touch(5000, new int[] {400, 1700}));
        byte[] bytes = stream.toByteArray();
        for (int length = 0; length <= bytes.length; length++) {
            try (TestClient client = new TestClient(harness)) {
                client.sendRaw(bytes, 0, length);
                harness.pumpFor(3);
            }
        }
        harness.pumpFor(100);
        try (TestClient client = TestClient.connectedAfterOthers(harness)) {
            client.observe().requireComplete();
        }
    }

    @Test
    public void splitFramesAreReassembled() throws Exception {
        try (TestClient client = TestClient.connected(harness)) {
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            new FrameWriter(stream).write(Protocol.PING, 50, new BodyWriter().uint(0));
            byte[] bytes = stream.toByteArray();
            for (int i = 0; i < bytes.length; i++) {
                client.sendRaw(bytes, i, 1);
                harness.pump();
            }
            assertTrue(client.wait(50).isDone());
        }
    }

    @Test
    public void requestsRunInOrderAndPingsImmediately() throws Exception {
        harness.show("controls");
        try (TestClient client = TestClient.connected(harness)) {
            int[] pad = center(client.observe().get("Pad"));
            int touch = client.send(Protocol.TOUCH, TestClient.touch(20000, pad));
            int key = client.send(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(KeyEvent.KEYCODE_A).uint(0));
            int ping = client.send(Protocol.PING, new BodyWriter().uint(0));
            client.wait(ping);
            assertNull(client.find(touch));
            client.call(Protocol.CANCEL, new BodyWriter().uint(touch));
            long first = client.wait(touch).arrival;
            assertTrue(client.wait(key).arrival >= first);
        }
    }

    @Test
    public void expiredRequestsAreNotExecuted() throws Exception {
        harness.show("controls");
        try (TestClient client = TestClient.connected(harness)) {
            int[] pad = center(client.observe().get("Pad"));
            client.send(Protocol.TOUCH, TestClient.touch(300, pad));
            int late = client.send(Protocol.KEY, new BodyWriter().uint(50).uint(0).uint(KeyEvent.KEYCODE_A).uint(0));
            int early = client.send(Protocol.KEY, new BodyWriter().uint(20000).uint(0).uint(KeyEvent.KEYCODE_A).uint(0));
            assertEquals("CANCELLED/NOT_DONE", client.wait(late).error());
            assertTrue(client.wait(early).isDone());
        }
    }

    @Test
    public void cancelEndsTouchAndDropsQueuedRequest() throws Exception {
        harness.show("controls");
        try (TestClient client = TestClient.connected(harness)) {
            int[] pad = center(client.observe().get("Pad"));
            int touch = client.send(Protocol.TOUCH, TestClient.touch(20000, pad));
            int key = client.send(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(KeyEvent.KEYCODE_A).uint(0));
            harness.until(() -> harness.player.injected.contains(MotionEvent.ACTION_DOWN));
            assertTrue(client.call(Protocol.CANCEL, new BodyWriter().uint(key)).isDone());
            assertTrue(client.call(Protocol.CANCEL, new BodyWriter().uint(touch)).isDone());
            assertEquals("CANCELLED/DONE_PARTLY", client.wait(touch).error());
            assertEquals("CANCELLED/NOT_DONE", client.wait(key).error());
            assertTrue(client.call(Protocol.CANCEL, new BodyWriter().uint(12345)).isDone());
            harness.pumpFor(50);
            assertEquals("pad cancelled", harness.app.status.getText().toString());
            assertFalse(harness.player.injected.contains(-KeyEvent.KEYCODE_A));
        }
    }

    @Test
    public void disconnectCancelsTouch() throws Exception {
        harness.show("controls");
        TestClient client = TestClient.connected(harness);
        int[] pad = center(client.observe().get("Pad"));
        client.send(Protocol.TOUCH, TestClient.touch(20000, pad));
        harness.until(() -> harness.player.injected.contains(MotionEvent.ACTION_DOWN));
        client.close();
        harness.until(() -> harness.player.injected.contains(MotionEvent.ACTION_CANCEL));
        TestClient.connected(harness).close();
    }

    @Test
    public void concurrentClientsAreServedOneAtATime() throws Exception {
        java.util.concurrent.atomic.AtomicInteger connected = new java.util.concurrent.atomic.AtomicInteger();
        java.util.concurrent.atomic.AtomicInteger served = new java.util.concurrent.atomic.AtomicInteger();
        java.util.concurrent.atomic.AtomicInteger maxConnected = new java.util.concurrent.atomic.AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        List<Throwable> problems = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 6; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                for (int round = 0; round < 8; round++) {
                    try (Socket socket = new Socket("127.0.0.1", harness.port())) {
                        socket.setSoTimeout(20000);
                        FrameWriter writer = new FrameWriter(socket.getOutputStream());
                        FrameReader reader = new FrameReader(socket.getInputStream());
                        writer.write(Protocol.HELLO, 1, TestClient.hello(TOKEN, 1, Protocol.VERSION));
                        Frame hello = reader.read(100000);
                        if (hello == null || hello.kind != Protocol.DONE) continue;
                        maxConnected.accumulateAndGet(connected.incrementAndGet(), Math::max);
                        served.incrementAndGet();
                        writer.write(Protocol.TOUCH, 2, TestClient.touch(40, new int[] {400, 1700}));
                        writer.write(Protocol.OBSERVE, 3, new BodyWriter().uint(0).uint(0).uint(0));
                        // Clients disconnect during the touch, during the observation, or after the answer.
                        for (int replies = (number + round) % 3; replies > 0; replies--) reader.read(1000000);
                        connected.decrementAndGet();
                    } catch (java.io.IOException e) {
                        // Rejected while another client is connected.
                    } catch (Throwable e) {
                        problems.add(e);
                    }
                }
            });
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        harness.until(() -> threads.stream().noneMatch(Thread::isAlive));
        assertEquals(java.util.Collections.emptyList(), problems);
        assertEquals(1, maxConnected.get());
        assertTrue(served.get() + " served", served.get() >= 6);
        harness.pumpFor(50);
        int downs = java.util.Collections.frequency(harness.player.injected, MotionEvent.ACTION_DOWN);
        int ups = java.util.Collections.frequency(harness.player.injected, MotionEvent.ACTION_UP)
                + java.util.Collections.frequency(harness.player.injected, MotionEvent.ACTION_CANCEL);
        assertEquals("each touch ends", downs, ups);
        try (TestClient client = TestClient.connected(harness)) {
            client.observe().requireComplete();
        }
    }

    @Test
    public void quitEndsAgentAfterEarlierRequests() throws Exception {
        harness.show("controls");
        try (TestClient client = TestClient.connected(harness)) {
            int[] pad = center(client.observe().get("Pad"));
            int touch = client.send(Protocol.TOUCH, TestClient.touch(20000, pad));
            int key = client.send(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(KeyEvent.KEYCODE_A).uint(0));
            int quit = client.send(Protocol.QUIT, new BodyWriter().uint(0));
            assertTrue(client.call(Protocol.PING, new BodyWriter().uint(0)).isDone());
            assertNull(client.find(quit));
            assertTrue(client.call(Protocol.CANCEL, new BodyWriter().uint(touch)).isDone());
            assertTrue(client.wait(key).isDone());
            assertTrue(client.wait(quit).isDone());
            harness.until(client::isEnded);
            harness.until(() -> !harness.serving.isAlive());
        }
    }

    @Test
    public void idleAgentEnds() throws Exception {
        stop();
        harness = new AgentHarness(0, TOKEN, 1000);
        try (TestClient client = TestClient.connected(harness)) {
            harness.pumpFor(1300);
            assertTrue(harness.serving.isAlive());
            assertTrue(client.call(Protocol.PING, new BodyWriter().uint(0)).isDone());
        }
        harness.until(() -> !harness.serving.isAlive());
    }

    @Test
    public void failureEndsOnlyItsRequest() throws Exception {
        harness.show("controls");
        try (TestClient client = TestClient.connected(harness)) {
            Observation observation = client.observe();
            harness.system.failCalls = true;
            // On some levels the platform ignores exceptions of its connection.
            String error = client.call(Protocol.OBSERVE, new BodyWriter().uint(0).uint(0).uint(0)).error();
            assertTrue(error, error.equals("FAILED/NOT_DONE") || error.equals("kind 128"));
            harness.system.failCalls = false;
            client.observe().requireComplete();
            harness.device.denyInput = true;
            assertEquals("DENIED/NOT_DONE", client.call(Protocol.TOUCH, TestClient.touch(10, center(observation.get("Pad")))).error());
            assertEquals("DENIED/NOT_DONE", client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(4).uint(0)).error());
            harness.device.denyInput = false;
            // A slow tap may be detected as a long press.
            harness.device.inputDelayMs = 600;
            TestClient.Reply slow = client.call(Protocol.TOUCH, TestClient.touch(20, center(observation.get("Pad"))));
            assertEquals("FAILED/DONE_PARTLY", slow.error());
            assertTrue(client.call(Protocol.TOUCH, TestClient.touch(700, center(observation.get("Pad")))).isDone());
            harness.device.inputDelayMs = 0;
            harness.device.failInput = new StackOverflowError("harness");
            assertEquals("FAILED/UNKNOWN", client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(4).uint(0)).error());
            harness.device.failInput = null;
            assertTrue(client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(KeyEvent.KEYCODE_A).uint(0)).isDone());
        }
    }

    @Test
    public void busyUiAutomationNamesItsHolder() throws Exception {
        harness.system.slotTaken = true;
        Failure failure = harness.callWhilePumping(() -> {
            try {
                harness.device.open();
                return null;
            } catch (Failure e) {
                return e;
            }
        });
        assertEquals(Protocol.CODE_SLOT_TAKEN, failure.code);
        assertTrue(failure.getMessage(), failure.getMessage().contains("already registered"));
        harness.system.slotTaken = false;
        harness.callWhilePumping(() -> {
            harness.device.open();
            return null;
        });
    }

    @Test
    public void agentReconnectsToUiAutomation() throws Exception {
        try (TestClient client = TestClient.connected(harness)) {
            long revision = client.observe().revision;
            for (int i = 0; i < 3; i++) {
                harness.disconnect();
                client.observe().requireComplete();
            }
            harness.system.slotTaken = true;
            harness.disconnect();
            assertEquals("SLOT_TAKEN/NOT_DONE", client.call(Protocol.OBSERVE, new BodyWriter().uint(0).uint(0).uint(0)).error());
            harness.system.slotTaken = false;
            Observation observation = client.observe();
            observation.requireComplete();
            assertEquals(revision, observation.revision);
            int before = client.messages();
            harness.show("controls");
            harness.until(() -> client.messages() > before);
        }
    }

    @Test
    public void slotHolderIsFoundByCommandLine() throws Exception {
        File proc = Files.createTempDirectory("proc").toFile();
        commandLine(proc, "1", "init");
        commandLine(proc, "20", "app_process\0/system/bin\0com.x.Server\0");
        commandLine(proc, "30", "app_process\0/system/bin\0com.android.commands.uiautomator.Launcher\0runtest\0");
        commandLine(proc, "40", "app_process\0/system/bin\0clawperator.agent.Main\0");
        new File(proc, "self").mkdir();
        assertEquals("app_process /system/bin com.android.commands.uiautomator.Launcher runtest (process 30)", SlotHolder.find(proc, "40"));
        assertEquals(null, SlotHolder.find(new File(proc, "nothing"), "1"));
    }

    private static void commandLine(File proc, String process, String line) throws Exception {
        File folder = new File(proc, process);
        folder.mkdir();
        Files.write(new File(folder, "cmdline").toPath(), line.getBytes("UTF-8"));
    }

    static int[] center(NodeRecord node) {
        return new int[] {(node.left + node.right) / 2, (node.top + node.bottom) / 2};
    }
}
