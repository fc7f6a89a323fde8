package clawperator.agent;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Tests of the encoding with the golden frames of both sides; without Android. */
public class CodecTest {
    private static final Path FOLDER = new File(System.getProperty("agent.folder")).toPath();

    @Test
    public void numbersAreReadAsWritten() throws Exception {
        long[] values = {0, 1, 127, 128, 300, Integer.MAX_VALUE, Long.MAX_VALUE, -1, Long.MIN_VALUE};
        BodyWriter writer = new BodyWriter(1);
        for (long value : values) writer.uint(value).integer(value).real(value);
        BodyReader reader = new BodyReader(writer.toBytes());
        for (long value : values) {
            assertEquals(value, reader.uint());
            assertEquals(value, reader.integer());
            assertEquals(value, reader.real(), 0f);
        }
        reader.end();
    }

    @Test
    public void numbersOfMoreThan64BitsAreRejected() {
        for (String hex : new String[] {"ffffffffffffffffff02", "80808080808080808080", "80"}) {
            try {
                new BodyReader(Hex.decode(hex)).uint();
                fail(hex);
            } catch (Failure e) {
                assertEquals(Protocol.CODE_BAD_REQUEST, e.code);
            }
        }
    }

    @Test
    public void loneSurrogatesAreReplaced() throws Exception {
        assertEquals("a\ufffdb\ufffd\ud83d\ude00\ufffd", Utf8.decode(Utf8.encode("a\ud83db\ude00\ud83d\ude00\ud83d")));
    }

    @Test
    public void invalidUtf8IsRejected() {
        try {
            new BodyReader(Hex.decode("02c328")).text();
            fail();
        } catch (Failure e) {
            assertEquals(Protocol.CODE_BAD_REQUEST, e.code);
        }
    }

    @Test
    public void truncatedFramesAreRejected() throws Exception {
        byte[] whole = frame(5, 77, new BodyWriter().text("größe"));
        assertEquals(77, new FrameReader(new ByteArrayInputStream(whole)).read(1000).id);
        for (int length = 1; length < whole.length; length++) {
            try {
                new FrameReader(new ByteArrayInputStream(whole, 0, length)).read(1000);
                fail("cut after " + length);
            } catch (IOException expected) {
                continue;
            }
        }
    }

    @Test
    public void invalidLengthsAreRejected() throws Exception {
        for (String hex : new String[] {"000000000000000000", "0000000401000000", "7fffffff01000000", "ffffffff01000000"}) {
            try {
                new FrameReader(new ByteArrayInputStream(Hex.decode(hex))).read(Protocol.MAX_FRAME_LENGTH);
                fail(hex);
            } catch (Failure e) {
                assertEquals(Protocol.CODE_BAD_REQUEST, e.code);
            }
        }
    }

    @Test
    public void agentGoldenFrames() throws Exception {
        golden("hello", "done, id 1, to HELLO: version " + Protocol.VERSION + ", form 1, hash 00 01 ... 1f, API 34, process 4321, features 207, 1080x2400, rotation 0, density 440",
                frame(Protocol.DONE, 1, new BodyWriter().uint(Protocol.VERSION).uint(1).bytes(counting(32)).uint(34).uint(4321).uint(207)
                        .uint(1080).uint(2400).uint(0).uint(440)));
        golden("observe", "done, id 2, to OBSERVE: revision 41, 7 ms, a dialog above an app: an edit text with every field, its button, and a list whose second row is gone; display 2 has three windows",
                frame(Protocol.DONE, 2, whole(41, 7, screen())));
        golden("edited", "done, id 7, to OBSERVE: revision 42, 6 ms, the observation of revision 41 with another text in the list",
                frame(Protocol.DONE, 7, new BodyWriter().uint(42).uint(Protocol.EDITED).uint(6).uint(41).append(edit(screen(), changedScreen()))));
        golden("unchanged", "done, id 3, to OBSERVE: revision 41, unchanged", frame(Protocol.DONE, 3, new BodyWriter().uint(41).uint(1)));
        golden("set-text", "done, id 4, to ACT: text \"M\u00fcller \ud83d\ude00 \u0645\u0631\u062d\u0628\u0627\"",
                frame(Protocol.DONE, 4, new BodyWriter().uint(1).text("M\u00fcller \ud83d\ude00 \u0645\u0631\u062d\u0628\u0627")));
        golden("stale", "error, id 5: STALE, nothing was done, \"the node is not on the screen any more\"",
                frame(Protocol.ERROR, 5, Session.errorBody(new Failure(Protocol.CODE_STALE, Protocol.NOT_DONE, "the node is not on the screen any more"))));
        golden("changed", "message: changed, event types 0x400820", frame(Protocol.MESSAGE, 0, new BodyWriter().uint(1).uint(0x400820)));
        golden("event", "message: event 3 after 2 that were lost, 40 ms ago: the button \"Save\" of com.x was clicked",
                frame(Protocol.MESSAGE, 0, event(3, 2, 40, 1, "com.x", "android.widget.Button", "Save", "").integer(-1).integer(-1)
                        .integer(-1).integer(-1).integer(0).integer(0).uint(1).integer(7).text("android.widget.Button")
                        .text("com.x:id/save").text("Save").text("").uint(7).integer(-5).integer(20).integer(300).integer(96)));
        golden("screenshot", "done, id 6, to SCREENSHOT: 3x2, image 89 50 4e 47", frame(Protocol.DONE, 6,
                new BodyWriter().uint(3).uint(2).bytes(Hex.decode("89504e47"))));
    }

    @Test
    public void observationsAreReadAsWritten() throws Exception {
        Observation observation = Observation.decode(whole(41, 7, screen()).toBytes(), null);
        assertArrayEquals(TreeEncoder.encode(screen(), null).bytes, TreeEncoder.encode(observation.screen, null).bytes);
        assertEquals(1L << 37, observation.get("Amount").actions & 1L << 37);
        assertEquals("Amount", observation.get("12").texts[NodeRecord.HINT]);
    }

    @Test
    public void anyContentIsAnEditOfAnyOther() throws Exception {
        Random random = new Random(8);
        for (int round = 0; round < 300; round++) {
            ScreenRecord from = randomScreen(random);
            Content base = TreeEncoder.encode(from, null);
            Observation known = Observation.decode(whole(1, 0, from).toBytes(), null);
            Content next = TreeEncoder.encode(randomScreen(random), random.nextBoolean() ? base : null);
            byte[] edit = new BodyWriter().uint(2).uint(Protocol.EDITED).uint(0).uint(1).append(ContentEdit.encode(base, next)).toBytes();
            assertArrayEquals("round " + round, next.bytes, Observation.decode(edit, known).content);
        }
    }

    /** A screen of one list whose rows repeat. */
    private static ScreenRecord randomScreen(Random random) {
        ScreenRecord screen = screen();
        List<NodeRecord> nodes = screen.windows.get(1).nodes;
        nodes.remove(1);
        nodes.get(0).children = random.nextInt(30);
        for (int i = 0; i < nodes.get(0).children; i++) {
            NodeRecord row = node(0, 7, 0, random.nextInt(3), 1080, 100, "android.widget.TextView");
            row.put(NodeRecord.TEXT, "Row " + random.nextInt(10));
            nodes.add(row);
        }
        return screen;
    }

    /** Decodes the golden frames of the host and encodes them again. */
    @Test
    public void hostGoldenFrames() throws Exception {
        String given = System.getenv("AGENT_PROTOCOL_TESTDATA");
        Path folder = given != null ? Path.of(given) : FOLDER.resolve("../crates/devices/agent-protocol/testdata");
        if (!Files.isDirectory(folder)) {
            System.err.println("skipped: the golden frames of the host are missing");
            return;
        }
        int observations = 0;
        Observation base = null;
        List<Path> files = new ArrayList<>();
        try (var stream = Files.list(folder)) {
            stream.filter(file -> file.toString().endsWith(".hex")).sorted().forEach(files::add);
        }
        for (Path file : files) {
            byte[] bytes = bytesOf(file);
            FrameReader reader = new FrameReader(new ByteArrayInputStream(bytes));
            Frame frame = reader.read(Protocol.MAX_FRAME_LENGTH);
            assertEquals(file.toString(), null, reader.read(Protocol.MAX_FRAME_LENGTH));
            String name = file.getFileName().toString();
            if (name.startsWith("answer-observe")) {
                if (name.equals("answer-observe-edited.hex")) base = Observation.decode(bodyOf(folder.resolve("answer-observe-full.hex")), null);
                Observation observation = Observation.decode(frame.body, base);
                BodyWriter again = new BodyWriter().uint(observation.revision);
                if (observation.edited) {
                    again.uint(Protocol.EDITED).uint(observation.time).uint(base.revision).append(edit(base.screen, observation.screen));
                } else if (observation.unchanged) {
                    again.uint(Protocol.UNCHANGED);
                } else {
                    again = whole(observation.revision, observation.time, observation.screen);
                }
                assertEquals(name, Bytes.hex(bytes), Bytes.hex(frame(frame.kind, frame.id, again)));
                observations++;
            } else {
                BodyWriter body = requestOf(name);
                if (body != null) assertEquals(name, Bytes.hex(bytes), Bytes.hex(frame(frame.kind, frame.id, body)));
            }
        }
        assertTrue(observations > 0);
    }

    /** The body of a golden frame of the host, or null for unknown ones. */
    private static BodyWriter requestOf(String name) {
        switch (name) {
            case "act-set-text.hex": return new BodyWriter().uint(5000).uint(300).uint(12).uint(4).text("größe 漢字 😀");
            case "answer-act-text.hex": return new BodyWriter().uint(1).text("größe");
            case "answer-act.hex": return new BodyWriter().uint(0);
            case "answer-clipboard.hex": return new BodyWriter().text("käse");
            case "answer-done.hex": return new BodyWriter();
            case "answer-ping.hex": return new BodyWriter().uint(301);
            case "answer-screenshot.hex": return new BodyWriter().uint(2).uint(1).bytes(Hex.decode("89504e47"));
            case "cancel.hex": return new BodyWriter().uint(7);
            case "change.hex": return new BodyWriter().uint(1).uint(2080);
            case "clipboard-get.hex": return new BodyWriter().uint(5000).uint(0).text("");
            case "clipboard-set.hex": return new BodyWriter().uint(5000).uint(1).text("käse");
            case "error-cancelled-touch.hex": return Session.errorBody(new Failure(Protocol.CODE_CANCELLED, Protocol.DONE_PARTLY, ""));
            case "error-slot-taken.hex": return Session.errorBody(new Failure(Protocol.CODE_SLOT_TAKEN, Protocol.NOT_DONE, "held by com.x"));
            case "rotate.hex": return new BodyWriter().uint(5000).uint(3);
            case "rotate-follows.hex": return new BodyWriter().uint(5000).uint(Protocol.AUTO_ROTATION);
            case "hello.hex": return TestClient.hello(counting(32), 1, Protocol.VERSION);
            case "listen.hex": return TestClient.hello(counting(32), 1, Protocol.VERSION).uint(0x40001033);
            case "event-toast.hex": return event(1, 0, 12, 0x40, "com.x", "android.widget.Toast", "Gespeichert \u2713", "").integer(-1).integer(-1)
                    .integer(-1).integer(-1).integer(0).integer(0).uint(0);
            case "event-key.hex": return event(2, 0, 3, 0x40000000, "", "", "4", "").integer(-1).integer(-1)
                    .integer(-1).integer(-1).integer(0).integer(0).uint(0);
            case "event-scroll.hex": return new BodyWriter().uint(Protocol.APP_EVENT).uint(1).uint(0).uint(0).uint(0x1000).text("com.x").text("")
                    .uint(0).text("").uint(0).integer(0).integer(640).integer(0).integer(4000).integer(0).integer(600).uint(0);
            case "event-click.hex": return event(300, 2, 0, 1, "com.x", "android.widget.Button", "Save", "Saves it").integer(-1).integer(-1)
                    .integer(-1).integer(-1).integer(0).integer(0).uint(1).integer(7).text("android.widget.Button").text("com.x:id/save")
                    .text("Save").text("Saves it").uint(7).integer(10).integer(-20).integer(300).integer(96);
            case "key.hex": return new BodyWriter().uint(5000).uint(0).uint(66).uint(4096);
            case "observe.hex": return new BodyWriter().uint(5000).uint(0).uint(300);
            case "ping.hex": case "quit.hex": return new BodyWriter().uint(5000);
            case "screenshot.hex": return new BodyWriter().uint(5000).uint(0).uint(0).uint(0);
            case "screenshot-scaled-jpeg.hex": return new BodyWriter().uint(5000).uint(0).uint(90).uint(1024);
            case "touch-tap.hex": return new BodyWriter().uint(5000).uint(0).uint(0).uint(20).uint(0).uint(1).uint(1).integer(540).integer(1200);
            case "touch-drag.hex": return new BodyWriter().uint(5000).uint(0).uint(700).uint(300).uint(0).uint(1).uint(2)
                    .integer(500).integer(900).integer(500).integer(100);
            default: return null;
        }
    }

    private static BodyWriter event(int number, int lost, int age, int type, String app, String kind, String text, String description) {
        return new BodyWriter().uint(Protocol.APP_EVENT).uint(number).uint(lost).uint(age).uint(type).text(app).text(kind).uint(1).text(text)
                .text(description).uint(0);
    }

    private static byte[] counting(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) bytes[i] = (byte) i;
        return bytes;
    }

    private static byte[] frame(int kind, int id, BodyWriter body) throws IOException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        new FrameWriter(stream).write(kind, id, body);
        return stream.toByteArray();
    }

    private static byte[] bytesOf(Path file) throws IOException {
        StringBuilder digits = new StringBuilder();
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        for (String line : lines.subList(1, lines.size())) digits.append(line.trim());
        return Hex.decode(digits.toString());
    }

    private static byte[] bodyOf(Path file) throws Exception {
        return new FrameReader(new ByteArrayInputStream(bytesOf(file))).read(Protocol.MAX_FRAME_LENGTH).body;
    }

    private static BodyWriter whole(long revision, long time, ScreenRecord screen) {
        byte[] content = TreeEncoder.encode(screen, null).bytes;
        return new BodyWriter().uint(revision).uint(Protocol.WHOLE).uint(time).raw(content, 0, content.length);
    }

    private static BodyWriter edit(ScreenRecord from, ScreenRecord to) {
        Content base = TreeEncoder.encode(from, null);
        return ContentEdit.encode(base, TreeEncoder.encode(to, base));
    }

    private static ScreenRecord changedScreen() {
        ScreenRecord screen = screen();
        screen.windows.get(1).nodes.get(1).put(NodeRecord.TEXT, "Row 2");
        return screen;
    }

    /** Compares with agent/testdata; UPDATE_EXPECT=1 updates it. */
    private static void golden(String name, String words, byte[] bytes) throws IOException {
        Path file = FOLDER.resolve("testdata").resolve(name + ".hex");
        StringBuilder text = new StringBuilder(words).append('\n');
        String digits = Bytes.hex(bytes);
        for (int at = 0; at < digits.length(); at += 64) text.append(digits, at, Math.min(at + 64, digits.length())).append('\n');
        if (System.getenv("UPDATE_EXPECT") != null) {
            Files.createDirectories(file.getParent());
            Files.write(file, text.toString().getBytes(StandardCharsets.UTF_8));
        }
        assertEquals(name, new String(Files.readAllBytes(file), StandardCharsets.UTF_8), text.toString());
    }

    private static ScreenRecord screen() {
        ScreenRecord screen = new ScreenRecord();
        screen.display = new DisplayFacts(1080, 2400, 0, 440);
        screen.expectedWindows = 2;
        screen.others.add(new int[] {2, 3});
        WindowRecord dialog = new WindowRecord();
        dialog.id = 12;
        dialog.type = 1;
        dialog.layer = 1;
        dialog.flags = WindowRecord.ACTIVE | WindowRecord.FOCUSED;
        dialog.title = "Pay";
        dialog.bounds = new int[] {90, 800, 990, 1500};
        dialog.region.add(new int[] {90, 800, 990, 1500});
        NodeRecord root = node(2, 3, 90, 800, 990, 1500, "android.widget.FrameLayout");
        NodeRecord edit = node(0, 0x1fffff, 120, 830, 960, 950, "android.widget.EditText");
        edit.put(NodeRecord.RESOURCE, "com.x:id/amount");
        edit.put(NodeRecord.TEXT, "12");
        edit.put(NodeRecord.HINT, "Amount");
        edit.put(NodeRecord.DESCRIPTION, "Amount to pay");
        edit.put(NodeRecord.STATE, "half");
        edit.put(NodeRecord.ERROR, "too much");
        edit.put(NodeRecord.PANE, "Form");
        edit.put(NodeRecord.TOOLTIP, "in euros");
        edit.put(NodeRecord.UNIQUE, "42");
        edit.inputType = 8194;
        edit.maxTextLength = 9;
        edit.collection = new int[] {3, -1, 1};
        edit.item = new int[] {1, 1, 0, 2};
        edit.rangeType = 1;
        edit.range = new float[] {0, 10, 2.5f};
        edit.selectionStart = 2;
        edit.selectionEnd = 2;
        edit.liveRegion = 1;
        edit.actions = 1L << 21 | 1L << 37 | 1;
        edit.extras.add("tag");
        edit.extras.add("amount");
        NodeRecord button = node(0, 7, 700, 1380, 960, 1470, "android.widget.Button");
        button.put(NodeRecord.TEXT, "Pay");
        dialog.nodes.add(root);
        dialog.nodes.add(edit);
        dialog.nodes.add(button);
        screen.windows.add(dialog);
        WindowRecord app = new WindowRecord();
        app.id = 7;
        app.type = 1;
        app.bounds = new int[] {0, 0, 1080, 2400};
        app.unreadable = 1;
        NodeRecord list = node(1, 1 | 1 << 9, 0, -20, 1080, 2400, "android.widget.ListView");
        NodeRecord row = node(0, 7, 0, -20, 1080, 100, "android.widget.TextView");
        row.put(NodeRecord.TEXT, "Row 1");
        app.nodes.add(list);
        app.nodes.add(row);
        screen.windows.add(app);
        return screen;
    }

    private static NodeRecord node(int children, int flags, int left, int top, int right, int bottom, String kind) {
        NodeRecord node = new NodeRecord();
        node.children = children;
        node.flags = flags;
        node.left = left;
        node.top = top;
        node.right = right;
        node.bottom = bottom;
        node.put(NodeRecord.CLASS, kind);
        node.put(NodeRecord.PACKAGE, "com.x");
        return node;
    }
}
