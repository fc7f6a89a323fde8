package clawperator.agent;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.os.Build;
import android.view.KeyEvent;
import android.view.MotionEvent;
import java.util.Arrays;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;

/** What is seen of real widgets, and what is done to them. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 28, 30, 33, 34, 35}, manifest = Config.NONE, qualifiers = "w411dp-h891dp-xhdpi",
        shadows = {RealCode.Lists.class, RealCode.Records.class, RealCode.Automations.class})
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public class ScreenTest {
    private static final int API = Build.VERSION.SDK_INT;
    static final String SCRIPTS = "Müller \ud83d\ude00 مرحبا";
    Bench bench;
    TestClient client;

    Bench open() throws Exception {
        return new AgentBench(0, new byte[32], 3600_000);
    }

    /** Whether a finger can rest before it lifts. */
    boolean canRest() {
        return true;
    }

    /** Whether touches are possible at all. */
    boolean canTouch() {
        return true;
    }

    @Before
    public void start() throws Exception {
        bench = open();
        client = TestClient.connected(bench);
    }

    @After
    public void stop() throws Exception {
        client.close();
        bench.close();
    }

    /** Where the last of three fingers is lifted. */
    String lastLifted() {
        return "300,50";
    }

    private static void done(TestClient.Reply reply) throws Exception {
        if (!reply.isDone()) throw new AssertionError(reply.error() + " " + reply.message());
    }

    /** Waits until the app says this. */
    private void says(String text) throws Exception {
        long end = System.nanoTime() + 5_000_000_000L;
        while (!bench.app.status.getText().toString().equals(text) && System.nanoTime() < end) bench.pump();
        assertEquals(text, bench.app.status.getText().toString());
    }

    @Test
    public void nodesHaveTheirTextsFlagsAndNumbers() throws Exception {
        bench.show("controls");
        Seen seen = client.observe();
        seen.requireComplete();
        assertEquals(822, seen.screen.display.width);
        assertEquals(1782, seen.screen.display.height);
        NodeRecord name = seen.get("Name");
        assertEquals("android.widget.EditText", name.texts[NodeRecord.CLASS]);
        assertEquals("android:id/edit", name.texts[NodeRecord.RESOURCE]);
        assertEquals(API >= 26 ? "Name" : null, name.texts[NodeRecord.HINT]);
        assertEquals(API >= 26 ? null : "Name", name.texts[NodeRecord.TEXT]);
        assertEquals(API >= 26, (name.flags & 1 << 13) != 0);
        assertTrue((name.flags & 1 << 11) != 0);
        if (API >= 26) assertTrue((name.actions & 1 << 21) != 0);
        assertEquals(1, name.inputType);
        NodeRecord secret = seen.node(seen.find("Name") + 1);
        assertTrue((secret.flags & 1 << 10) != 0);
        if (API >= 26) assertEquals("••••••", secret.texts[NodeRecord.TEXT]);
        assertFalse(seen.texts().contains("secret"));
        NodeRecord wifi = seen.node(seen.findClass("Switch"));
        assertEquals(3 << 6, wifi.flags & 3 << 6);
        assertEquals(1 << 6, seen.get("Remember").flags & 3 << 6);
        NodeRecord bar = seen.node(seen.findClass("SeekBar"));
        if (API >= 26) assertArrayEquals(new float[] {0, 10, 3}, bar.range, 0);
        NodeRecord day = seen.get("Day 2");
        assertEquals("bench.Day", day.texts[NodeRecord.CLASS]);
        assertEquals(100, day.left);
        assertEquals(3, seen.node(seen.find("Day 1") - 1).children);
        assertEquals(0, seen.find("Day 1") - seen.find("Day 2") + 1);
    }

    @Test
    public void nodesComeInBatches() throws Exception {
        bench.show("inputs");
        client.observe();
        int before = bench.system.fetches.get();
        int nodes = client.observe().nodes().size();
        int fetches = bench.system.fetches.get() - before;
        assertTrue(fetches + " fetches of " + nodes + " nodes", fetches >= 1 && fetches <= nodes / 5);
    }

    @Test
    public void anUnchangedScreenIsNotSentAgain() throws Exception {
        Seen first = client.observe();
        Seen second = client.observe(first.revision);
        assertTrue(second.unchanged);
        assertEquals(first.revision, second.revision);
        Seen third = client.observe(first.revision - 1);
        assertFalse(third.unchanged);
        assertEquals(first.revision, third.revision);
        bench.show("controls");
        Seen fourth = client.observe(first.revision);
        assertFalse(fourth.unchanged);
        assertTrue(fourth.revision > first.revision);
    }

    @Test
    public void textOfEveryScriptIsSetAndReadBack() throws Exception {
        bench.show("controls");
        Seen seen = client.observe();
        int name = seen.find("Name");
        BodyReader body = client.act(seen.revision, name, 4, SCRIPTS).body();
        assertEquals(1, body.uint());
        assertEquals(SCRIPTS, body.text());
        body.end();
        assertEquals(SCRIPTS, bench.app.name.getText().toString());
        body = client.act(seen.revision, name, 4, "").body();
        assertEquals(1, body.uint());
        String empty = body.text();
        assertTrue(empty, API >= 26 ? empty.isEmpty() : empty.equals("Name"));
        client.act(seen.revision, name + 1, 4, "geheim");
        assertEquals("geheim", bench.app.secret.getText().toString());
        assertFalse(client.observe().texts().contains("geheim"));
    }

    @Test
    public void aFieldThatRefusesItsTextGetsItByPaste() throws Exception {
        bench.show("controls");
        Seen seen = client.observe();
        int name = seen.find("Name");
        client.act(seen.revision, name, 4, "old");
        bench.setClipboardNow("kept");
        bench.app.refuseSetText(bench.app.name);
        TestClient.Reply reply = client.act(seen.revision, name, 4, SCRIPTS);
        assertTrue(reply.isDone());
        assertEquals(SCRIPTS, bench.app.name.getText().toString());
        TestClient.Reply clip = client.call(Protocol.CLIPBOARD, new BodyWriter().uint(0).uint(0).text(""));
        assertEquals("kept", clip.body().text());
    }

    @Test
    public void submitDoesTheEditorsAction() throws Exception {
        bench.show("controls");
        Seen seen = client.observe();
        client.act(seen.revision, seen.find("Name"), 4, "abc");
        assertTrue(client.act(seen.revision, seen.find("Name"), 5, "").isDone());
        says("submitted abc");
        boolean key = bench.player.injected.contains(-KeyEvent.KEYCODE_ENTER);
        assertEquals(API < 30, key);
    }

    @Test
    public void nodesAreClickedAndHeldAndFocused() throws Exception {
        bench.show("controls");
        Seen seen = client.observe();
        assertTrue(client.act(seen.revision, seen.find("Tap"), 1, "").isDone());
        says("tapped 1");
        assertTrue(client.act(seen.revision, seen.find("Tap"), 2, "").isDone());
        says("held 1");
        done(client.act(seen.revision, seen.findClass("Switch"), 1, ""));
        says("wi-fi false");
        assertTrue(client.act(seen.revision, seen.find("Day 2"), 1, "").isDone());
        says("picked Day 2");
        for (int i = 0; i < 2; i++) assertTrue(client.act(seen.revision, seen.find("Name"), 3, "").isDone());
        assertTrue(bench.app.name.isFocused());
        assertEquals("8/0", client.act(seen.revision, seen.find("Refuser"), 1, "").error());
        assertEquals("4/0", client.act(seen.revision, 100000, 1, "").error());
        assertEquals("4/0", client.act(seen.revision, 0, 9, "").error());
        assertEquals("4/0", client.act(seen.revision, 0, 0, "").error());
    }

    @Test
    public void nodesThatAreGoneAreStale() throws Exception {
        bench.show("controls");
        Seen seen = client.observe();
        assertEquals("7/0", client.act(seen.revision + 1, 0, 1, "").error());
        bench.show("list");
        assertEquals("7/0", client.act(seen.revision, seen.find("Tap"), 1, "").error());
        assertEquals(0, bench.app.taps);
        Seen list = client.observe();
        assertTrue(client.act(list.revision, list.find("Row 1"), 1, "").isDone());
        client.observe();
        assertTrue(client.act(list.revision, list.find("Row 2"), 1, "").isDone());
        says("row 2");
        client.observe();
        client.observe();
        assertEquals("7/0", client.act(list.revision, list.find("Row 2"), 1, "").error());
    }

    @Test
    public void listsOfAThousandRowsScroll() throws Exception {
        bench.show("list");
        Seen seen = client.observe();
        NodeRecord list = seen.node(seen.findClass("ListView"));
        assertTrue((list.flags & 1 << 9) != 0);
        assertTrue(seen.nodes().size() < 100);
        assertEquals(1, seen.get("Row 1").item[0]);
        assertTrue(client.act(seen.revision, seen.findClass("ListView"), 6, "").isDone());
        bench.pumpFor(600);
        Seen after = client.observe();
        assertEquals(-1, after.find("Row 0"));
        assertTrue(client.act(after.revision, after.findClass("ListView"), 7, "").isDone());
        bench.pumpFor(600);
        assertTrue(client.observe().find("Row 0") >= 0);
    }

    @Test
    public void recycledRowsScroll() throws Exception {
        if (API < 28) return;
        bench.show("recycler");
        Seen seen = client.observe();
        int place = seen.findClass("RecyclerView");
        assertArrayEquals(new int[] {Screens.ROWS, 1}, Arrays.copyOf(seen.node(place).collection, 2));
        assertTrue(client.act(seen.revision, place, 6, "").isDone());
        bench.pumpFor(600);
        assertEquals(-1, client.observe().find("Rec 0"));
    }

    @Test
    public void dialogsAreWindowsOfTheirOwnTopmostFirst() throws Exception {
        assumeTrue(canTouch());
        bench.show("controls");
        Seen seen = client.observe();
        client.act(seen.revision, seen.find("Open"), 1, "");
        Seen both = client.observeUntil("Delete 3 files");
        both.requireComplete();
        assertEquals(2, both.screen.windows.size());
        WindowRecord dialog = both.screen.windows.get(0);
        assertEquals(3, dialog.flags);
        assertEquals(0, both.screen.windows.get(1).flags);
        assertTrue(dialog.layer > both.screen.windows.get(1).layer);
        assertTrue(dialog.bounds[1] > 300);
        assertTrue(both.find("Tap") > dialog.nodes.size());
        assertEquals(API >= 33 ? 1 : 0, dialog.region.size());
        // The app below is still there to act on, and a touch beside the dialog closes it.
        int[] no = ServerTest.centre(both.node(both.find(API < 26 ? "No" : "NO")));
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(40, no)).isDone());
        says("no");
        assertEquals(1, client.observe().screen.windows.size());
    }

    @Test
    public void menusAreWindowsToo() throws Exception {
        assumeTrue(canTouch());
        bench.show("controls");
        Seen seen = client.observe();
        client.act(seen.revision, seen.find("Menu"), 1, "");
        client.observeUntil("Move");
        bench.pumpFor(800);
        Seen menu = client.observe();
        assertEquals(2, menu.screen.windows.size());
        NodeRecord move = menu.get("Move");
        NodeRecord anchor = menu.get("Menu");
        assertTrue(move.top + " below " + anchor.bottom, move.top > anchor.top && move.bottom < anchor.bottom + 500);
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(40, ServerTest.centre(move))).isDone());
        says("chose Move");
    }

    @Test
    public void windowsWithoutRootMakeTheScreenIncomplete() throws Exception {
        bench.system.withholdRoots = true;
        Seen seen = client.observe();
        assertFalse(seen.isComplete());
        assertEquals(WindowRecord.NO_ROOT, seen.screen.windows.get(0).flags & WindowRecord.NO_ROOT);
        assertEquals(0, seen.nodes().size());
        bench.system.withholdRoots = false;
        client.observe().requireComplete();
    }

    @Test
    public void aScreenThatNeverRestsIsSeenAtOnce() throws Exception {
        bench.show("restless");
        long before = 0;
        for (int i = 0; i < 5; i++) {
            bench.pumpFor(50);
            Seen seen = client.observe();
            // An observation during which a view went away says that it is incomplete.
            while (!seen.isComplete()) seen = client.observe();
            assertTrue(seen.revision > before);
            before = seen.revision;
        }
    }

    @Test
    public void changesAreToldOnceAfterAnObservation() throws Exception {
        bench.show("controls");
        Seen seen;
        int before;
        do {
            before = client.messages();
            seen = client.observe();
            bench.pumpFor(300);
        } while (client.messages() != before);
        int told = before;
        client.act(seen.revision, seen.find("Tap"), 1, "");
        bench.until(() -> client.messages() > told);
        client.act(seen.revision, seen.find("Tap"), 1, "");
        bench.pumpFor(500);
        assertEquals(told + 1, client.messages());
        BodyReader body = client.lastMessage().body();
        assertEquals(0, client.lastMessage().frame.id);
        assertEquals(Protocol.CHANGED, body.uint());
        assertTrue(body.uint() != 0);
        body.end();
        client.observe();
        client.act(seen.revision, seen.find("Tap"), 1, "");
        bench.until(() -> client.messages() > told + 1);
    }

    @Test
    public void touchesTapHoldAndDrag() throws Exception {
        assumeTrue(canTouch());
        bench.show("controls");
        Seen seen = client.observe();
        int[] tap = ServerTest.centre(seen.get("Tap"));
        bench.player.injected.clear();
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(30, tap)).isDone());
        says("tapped 1");
        assertEquals(Arrays.asList(MotionEvent.ACTION_DOWN, MotionEvent.ACTION_UP), bench.player.injected);
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(900, tap)).isDone());
        says("held 1");
        NodeRecord pad = seen.get("Pad");
        long began = System.nanoTime();
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(200, new int[] {100, pad.top + 10, 300, pad.top + 50, 250, pad.top + 60})).isDone());
        assertTrue((System.nanoTime() - began) / 1000000 >= 195);
        says("pad 1 fingers, up at 250,60");
        done(client.call(Protocol.TOUCH, TestClient.touch(150, new int[] {100, pad.top + 10, 300, pad.top + 50},
                new int[] {400, pad.top + 10, 310, pad.top + 50}, new int[] {500, pad.top + 9})));
        says("pad 3 fingers, up at " + lastLifted());
    }

    @Test
    public void aTurnedScreenIsReadAndTouchedAsItIsNow() throws Exception {
        bench.show("controls");
        Seen upright = client.observe();
        assertEquals(0, upright.screen.display.rotation);
        bench.turn("controls");
        Seen turned = client.observe();
        turned.requireComplete();
        assertEquals(1782, turned.screen.display.width);
        assertEquals(822, turned.screen.display.height);
        assertEquals(1, turned.screen.display.rotation);
        assertTrue(turned.revision > upright.revision);
        assertEquals("7/0", client.act(upright.revision, upright.find("Tap"), 1, "").error());
        assumeTrue(canTouch());
        done(client.call(Protocol.TOUCH, TestClient.touch(30, ServerTest.centre(turned.get("Tap")))));
        says("tapped 1");
    }

    @Test
    public void swipesScrollAList() throws Exception {
        assumeTrue(canTouch());
        bench.show("list");
        client.observe();
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(200, new int[] {400, 1200, 400, 400})).isDone());
        bench.pumpFor(500);
        assertEquals(-1, client.observe().find("Row 0"));
    }

    @Test
    public void listStopsWhereAFingerRests() throws Exception {
        assumeTrue(canTouch() && canRest());
        bench.show("list");
        int before = client.observe().get("Row 9").top;
        // Robolectric's stand-in for the VelocityTracker looks at the last 200 ms of its clock, which can be behind the wall's.
        assertTrue(client.call(Protocol.TOUCH, TestClient.restingTouch(100, 1000, new int[] {400, 1200, 400, 700})).isDone());
        int lifted = client.observe().get("Row 9").top;
        int slop = android.view.ViewConfiguration.get(bench.app).getScaledTouchSlop();
        assertTrue(before + " to " + lifted, Math.abs(before - lifted - 500) <= slop);
        bench.pumpFor(500);
        assertEquals(lifted, client.observe().get("Row 9").top);
    }

    @Test
    public void keysReachTheFocus() throws Exception {
        bench.show("controls");
        Seen seen = client.observe();
        client.act(seen.revision, seen.find("Name"), 3, "");
        for (int code : new int[] {KeyEvent.KEYCODE_H, KeyEvent.KEYCODE_I}) {
            assertTrue(client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(code).uint(0)).isDone());
        }
        assertTrue(client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(KeyEvent.KEYCODE_A).uint(KeyEvent.META_SHIFT_ON)).isDone());
        assertEquals("hiA", bench.app.name.getText().toString());
        assertTrue(client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(KeyEvent.KEYCODE_BACK).uint(0)).isDone());
        bench.pumpFor(50);
        assertEquals("home", bench.app.screen);
    }

    @Test
    public void fieldsOfEveryTypeTellIt() throws Exception {
        bench.show("inputs");
        Seen seen = client.observe();
        assertEquals(0x21, seen.get("TYPE_TEXT_VARIATION_EMAIL_ADDRESS").inputType);
        assertEquals(0x3002, seen.get("TYPE_NUMBER_FLAG_DECIMAL").inputType & 0x2002 | 0x1000);
        assertEquals(3, seen.get("TYPE_CLASS_PHONE").inputType);
        assertTrue((seen.get("TYPE_TEXT_FLAG_MULTI_LINE").flags & 1 << 16) != 0);
        assertTrue((seen.get("TYPE_TEXT_VARIATION_WEB_PASSWORD").flags & 1 << 10) != 0);
        int phone = seen.find("TYPE_CLASS_PHONE");
        assertEquals("+49 123", answered(client.act(seen.revision, phone, 4, "+49 123")));
        int far = seen.find("TYPE_TEXT_VARIATION_WEB_PASSWORD");
        assertTrue(client.act(seen.revision, far, 8, "").isDone());
    }

    static String answered(TestClient.Reply reply) throws Exception {
        BodyReader body = reply.body();
        assertEquals(1, body.uint());
        return body.text();
    }

    @Test
    public void rightToLeftAndLargeTextAreReadLikeAnyOther() throws Exception {
        assumeTrue(canTouch());
        bench.show("rtl");
        Seen seen = client.observe();
        assertTrue(seen.find("مرحبا بالعالم") > 0);
        int[] tap = ServerTest.centre(seen.get("Tap"));
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(30, tap)).isDone());
        says("tapped 1");
        bench.show("large");
        seen = client.observe();
        NodeRecord large = seen.get("Large");
        assertTrue(large.bottom - large.top > 60);
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(30, ServerTest.centre(large))).isDone());
        says("large");
    }

    @Test
    public void picturesAreOfTheWholeScreen() throws Exception {
        BodyReader body = client.call(Protocol.SCREENSHOT, new BodyWriter().uint(0).uint(0)).body();
        assertEquals(822, body.uint());
        assertEquals(1782, body.uint());
        byte[] image = body.bytes();
        body.end();
        if (API >= 26) {
            assertEquals((byte) 0x89, image[0]);
            Bitmap picture = BitmapFactory.decodeByteArray(image, 0, image.length);
            assertEquals(1782, picture.getHeight());
        }
        assertEquals("12/0", client.call(Protocol.SCREENSHOT, new BodyWriter().uint(0).uint(5)).error());
    }

    @Test
    public void otherDisplaysAreRefused() throws Exception {
        String error = client.call(Protocol.OBSERVE, new BodyWriter().uint(0).uint(9).uint(0)).error();
        assertEquals(API < 30 ? "12/0" : "6/0", error);
    }

    @Test
    public void theClipboardIsReadAndWritten() throws Exception {
        assertEquals(SCRIPTS, client.call(Protocol.CLIPBOARD, new BodyWriter().uint(0).uint(1).text(SCRIPTS)).body().text());
        assertEquals(SCRIPTS, client.call(Protocol.CLIPBOARD, new BodyWriter().uint(0).uint(0).text("")).body().text());
    }

    @Test
    public void theScreenIsTurned() throws Exception {
        Seen upright = client.observe();
        for (int turns = 3; turns >= 0; turns--) {
            assertTrue(client.call(Protocol.ROTATE, new BodyWriter().uint(0).uint(turns)).isDone());
            Seen seen = client.observe();
            assertEquals(turns, seen.screen.display.rotation);
            assertEquals(turns % 2 == 0 ? upright.screen.display.width : upright.screen.display.height, seen.screen.display.width);
        }
        assertTrue(client.call(Protocol.ROTATE, new BodyWriter().uint(0).uint(Protocol.FOLLOWS)).isDone());
        assertEquals("4/0", client.call(Protocol.ROTATE, new BodyWriter().uint(0).uint(5)).error());
    }

    @Test
    public void theServiceAsksForWindowsIdsAndAllViews() {
        assertEquals(2 | 16 | 64, bench.system.info.flags & (2 | 16 | 64));
        assertEquals(-1, bench.system.info.eventTypes);
        if (API >= 24) assertEquals(1, bench.system.connectFlags);
    }
}
