package clawperator.agent;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.os.Build;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.widget.TextView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;

/** Tests of observations and actions with real widgets. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = {23, 28, 30, 33, 34, 35}, manifest = Config.NONE, qualifiers = "w411dp-h891dp-xhdpi",
        shadows = {RealCode.Lists.class, RealCode.Records.class, RealCode.Automations.class})
@GraphicsMode(GraphicsMode.Mode.NATIVE)
public class ScreenTest {
    private static final int API = Build.VERSION.SDK_INT;
    static final String SCRIPTS = "Müller \ud83d\ude00 مرحبا";
    static final int SERVICE_FLAGS = AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS
            | AccessibilityServiceInfo.FLAG_REPORT_VIEW_IDS | AccessibilityServiceInfo.FLAG_INCLUDE_NOT_IMPORTANT_VIEWS;
    Harness harness;
    TestClient client;

    Harness open() throws Exception {
        return new AgentHarness(0, new byte[32], 3600_000);
    }

    /** Whether fingers can rest after a movement. */
    boolean canRest() {
        return true;
    }

    /** Whether touches are supported. */
    boolean canTouch() {
        return true;
    }

    @Before
    public void start() throws Exception {
        harness = open();
        client = TestClient.connected(harness);
    }

    /** Observes until the screen does not change: a change removes nodes from the cache of the platform. */
    private Observation observeWhenIdle() throws Exception {
        while (true) {
            int before = client.messages();
            Observation observation = client.observe();
            harness.pumpFor(300);
            if (client.messages() == before) return observation;
        }
    }

    @After
    public void stop() throws Exception {
        client.close();
        harness.close();
    }

    /** The position where the last of three fingers is lifted. */
    String lastLiftedPosition() {
        return "300,50";
    }

    private static void assertDone(TestClient.Reply reply) throws Exception {
        if (!reply.isDone()) throw new AssertionError(reply.error() + " " + reply.message());
    }

    /** Waits until the app shows this status. */
    private void awaitStatus(String text) throws Exception {
        long end = System.nanoTime() + 5_000_000_000L;
        while (!harness.app.status.getText().toString().equals(text) && System.nanoTime() < end) harness.pump();
        assertEquals(text, harness.app.status.getText().toString());
    }

    @Test
    public void nodesHaveTextsFlagsAndNumbers() throws Exception {
        harness.show("controls");
        Observation observation = client.observe();
        observation.requireComplete();
        assertEquals(822, observation.screen.display.width);
        assertEquals(1782, observation.screen.display.height);
        NodeRecord name = observation.get("Name");
        assertEquals("android.widget.EditText", name.texts[NodeRecord.CLASS]);
        assertEquals("android:id/edit", name.texts[NodeRecord.RESOURCE]);
        assertEquals(API >= 26 ? "Name" : null, name.texts[NodeRecord.HINT]);
        assertEquals(API >= 26 ? null : "Name", name.texts[NodeRecord.TEXT]);
        assertEquals(API >= 26, (name.flags & 1 << 13) != 0);
        assertTrue((name.flags & 1 << 11) != 0);
        if (API >= 26) assertTrue((name.actions & 1 << 21) != 0);
        assertEquals(1, name.inputType);
        NodeRecord secret = observation.node(observation.find("Name") + 1);
        assertTrue((secret.flags & 1 << 10) != 0);
        if (API >= 26) assertEquals("••••••", secret.texts[NodeRecord.TEXT]);
        assertFalse(observation.texts().contains("secret"));
        NodeRecord wifi = observation.node(observation.findClass("Switch"));
        assertEquals(3 << 6, wifi.flags & 3 << 6);
        assertEquals(1 << 6, observation.get("Remember").flags & 3 << 6);
        NodeRecord bar = observation.node(observation.findClass("SeekBar"));
        if (API >= 26) assertArrayEquals(new float[] {0, 10, 3}, bar.range, 0);
        NodeRecord day = observation.get("Day 2");
        assertEquals("harness.Day", day.texts[NodeRecord.CLASS]);
        assertEquals(100, day.left);
        assertEquals(3, observation.node(observation.find("Day 1") - 1).children);
        assertEquals(observation.find("Day 1") + 1, observation.find("Day 2"));
    }

    @Test
    public void rarePropertiesAndExtrasAreRead() throws Exception {
        harness.show("properties");
        Observation observation = client.observe();
        NodeRecord amount = observation.get("-1");
        assertEquals("Enter a positive amount", amount.texts[NodeRecord.ERROR]);
        assertTrue((amount.flags & 1 << 17) != 0);
        assertEquals(API >= 30 ? "paused" : null, observation.get("Sync").texts[NodeRecord.STATE]);
        assertEquals(API >= 28 ? "Your basket" : null, observation.get("Basket").texts[NodeRecord.PANE]);
        NodeRecord send = observation.get("Send");
        assertEquals(API >= 28 ? "Sends the order" : null, send.texts[NodeRecord.TOOLTIP]);
        assertEquals(API >= 33 ? "order-17" : null, send.texts[NodeRecord.UNIQUE]);
        // Sorted by key. The test tag is requested; offers and values that are no text are left out.
        List<String> extras = new ArrayList<>(Arrays.asList("harness.items", "3", "harness.kind", "order"));
        if (API >= 26) extras.addAll(0, Arrays.asList("androidx.compose.ui.semantics.testTag", "send"));
        assertEquals(extras, send.extras);
        // Requesting extra data does not make the screen a new one.
        assertTrue(client.observe(observation.revision).unchanged);
    }

    @Test
    public void nodesArePrefetched() throws Exception {
        harness.show("inputs");
        observeWhenIdle();
        int before = harness.system.fetches.get();
        int nodes = client.observe().nodes().size();
        int fetches = harness.system.fetches.get() - before;
        assertTrue(fetches + " fetches of " + nodes + " nodes", fetches >= 1 && fetches <= nodes / 5);
    }

    @Test
    public void unchangedScreenIsNotSentAgain() throws Exception {
        Observation first = client.observe();
        Observation second = client.observe(first.revision);
        assertTrue(second.unchanged);
        assertEquals(first.revision, second.revision);
        Observation third = client.observe(first.revision - 1);
        assertFalse(third.unchanged);
        assertEquals(first.revision, third.revision);
        harness.show("controls");
        Observation fourth = client.observe(first.revision);
        assertFalse(fourth.unchanged);
        assertTrue(fourth.revision > first.revision);
    }

    @Test
    public void changedScreenIsSentAsEdit() throws Exception {
        harness.show("list");
        Observation first = observeWhenIdle();
        assertFalse(first.edited);
        ((TextView) harness.app.list.getChildAt(3)).setText("Another row");
        Observation second = client.observe(first.revision);
        assertTrue(second.edited);
        assertTrue(second.revision > first.revision);
        assertTrue(second.length + " of " + first.length + " bytes", second.length < first.length / 10);
        assertWhole(second);
        assertEquals(second.find("Another row"), first.find("Row 3"));
        // An edit is of the last revision; a client that has another one gets the whole content.
        ((TextView) harness.app.list.getChildAt(4)).setText("One more row");
        Observation third = client.observe(first.revision);
        assertFalse(third.edited || third.unchanged);
        assertWhole(third);
        assertTrue(client.observe(third.revision).unchanged);
        harness.app.list.setSelectionFromTop(2, -7);
        harness.pumpFor(100);
        Observation scrolled = client.observe(third.revision);
        assertTrue(scrolled.edited);
        assertEquals(-1, scrolled.find("Row 0"));
        assertWhole(scrolled);
    }

    @Test
    public void openedAndClosedWindowIsSentAsEdit() throws Exception {
        harness.show("inputs");
        Observation before = observeWhenIdle();
        harness.app.openDialog();
        harness.system.sendWindowsChanged();
        harness.pumpFor(800);
        Observation both = client.observe(before.revision);
        assertTrue(both.length + " of " + before.length + " bytes", both.edited);
        assertEquals(2, both.screen.windows.size());
        assertWhole(both);
        harness.app.dialog.dismiss();
        harness.pumpFor(800);
        Observation after = client.observe(both.revision);
        assertTrue(after.edited);
        assertEquals(1, after.screen.windows.size());
        assertWhole(after);
        assertEquals(before.texts(), after.texts());
    }

    @Test
    public void unusedTextsAreLeftOutInTime() throws Exception {
        harness.show("list");
        Observation last = observeWhenIdle();
        int whole = last.length;
        int edits = 0;
        for (int i = 0; i < 60; i++) {
            StringBuilder text = new StringBuilder();
            for (int letter = 0; letter < 100; letter++) text.append((char) ('a' + i % 26)).append(i);
            ((TextView) harness.app.list.getChildAt(3)).setText(text);
            last = client.observe(last.revision);
            if (last.edited) edits++;
            assertTrue(last.find(text.toString()) >= 0);
            assertTrue(last.content.length + " bytes", last.content.length < 3 * whole);
        }
        assertTrue(edits + " edits", edits > 30 && edits < 60);
    }

    /** Asserts that the content is the one that another client gets whole. */
    private void assertWhole(Observation observation) throws Exception {
        Observation whole = client.observe(0);
        assertFalse(whole.edited || whole.unchanged);
        assertEquals(observation.revision, whole.revision);
        assertArrayEquals(whole.content, observation.content);
        observation.requireComplete();
    }

    @Test
    public void unicodeTextIsSetAndReadBack() throws Exception {
        harness.show("controls");
        Observation observation = client.observe();
        int name = observation.find("Name");
        BodyReader body = client.act(observation.revision, name, NodeActions.SET_TEXT, SCRIPTS).body();
        assertEquals(1, body.uint());
        assertEquals(SCRIPTS, body.text());
        body.end();
        assertEquals(SCRIPTS, harness.app.name.getText().toString());
        body = client.act(observation.revision, name, NodeActions.SET_TEXT, "").body();
        assertEquals(1, body.uint());
        String empty = body.text();
        assertTrue(empty, API >= 26 ? empty.isEmpty() : empty.equals("Name"));
        client.act(observation.revision, name + 1, NodeActions.SET_TEXT, "geheim");
        assertEquals("geheim", harness.app.secret.getText().toString());
        assertFalse(client.observe().texts().contains("geheim"));
    }

    @Test
    public void textIsPastedIfFieldRefusesSetText() throws Exception {
        harness.show("controls");
        Observation observation = client.observe();
        int name = observation.find("Name");
        client.act(observation.revision, name, NodeActions.SET_TEXT, "old");
        harness.setClipboardNow("kept");
        harness.app.refuseSetText(harness.app.name);
        TestClient.Reply reply = client.act(observation.revision, name, NodeActions.SET_TEXT, SCRIPTS);
        assertTrue(reply.isDone());
        assertEquals(SCRIPTS, harness.app.name.getText().toString());
        TestClient.Reply clip = client.call(Protocol.CLIPBOARD, new BodyWriter().uint(0).uint(0).text(""));
        assertEquals("kept", clip.body().text());
    }

    @Test
    public void submitPerformsEditorAction() throws Exception {
        harness.show("controls");
        Observation observation = client.observe();
        client.act(observation, "Name", NodeActions.SET_TEXT, "abc");
        assertTrue(client.act(observation, "Name", NodeActions.SUBMIT, "").isDone());
        awaitStatus("submitted abc");
        boolean key = harness.player.injected.contains(-KeyEvent.KEYCODE_ENTER);
        assertEquals(API < 30, key);
    }

    @Test
    public void nodesAreClickedLongClickedAndFocused() throws Exception {
        harness.show("controls");
        Observation observation = client.observe();
        assertTrue(client.act(observation, "Tap", NodeActions.CLICK, "").isDone());
        awaitStatus("tapped 1");
        assertTrue(client.act(observation, "Tap", NodeActions.LONG_CLICK, "").isDone());
        awaitStatus("held 1");
        assertDone(client.act(observation.revision, observation.findClass("Switch"), NodeActions.CLICK, ""));
        awaitStatus("wi-fi false");
        assertTrue(client.act(observation, "Day 2", NodeActions.CLICK, "").isDone());
        awaitStatus("picked Day 2");
        for (int i = 0; i < 2; i++) assertTrue(client.act(observation, "Name", NodeActions.FOCUS, "").isDone());
        assertTrue(harness.app.name.isFocused());
        assertEquals("REFUSED/NOT_DONE", client.act(observation, "Refuser", NodeActions.CLICK, "").error());
        assertEquals("BAD_REQUEST/NOT_DONE", client.act(observation.revision, 100000, NodeActions.CLICK, "").error());
        assertEquals("BAD_REQUEST/NOT_DONE", client.act(observation.revision, 0, 9, "").error());
        assertEquals("BAD_REQUEST/NOT_DONE", client.act(observation.revision, 0, 0, "").error());
    }

    @Test
    public void removedNodesAreStale() throws Exception {
        harness.show("controls");
        Observation observation = client.observe();
        assertEquals("STALE/NOT_DONE", client.act(observation.revision + 1, 0, NodeActions.CLICK, "").error());
        harness.show("list");
        assertEquals("STALE/NOT_DONE", client.act(observation, "Tap", NodeActions.CLICK, "").error());
        assertEquals(0, harness.app.taps);
        Observation list = client.observe();
        assertTrue(client.act(list, "Row 1", NodeActions.CLICK, "").isDone());
        client.observe();
        assertTrue(client.act(list, "Row 2", NodeActions.CLICK, "").isDone());
        awaitStatus("row 2");
        client.observe();
        client.observe();
        assertEquals("STALE/NOT_DONE", client.act(list, "Row 2", NodeActions.CLICK, "").error());
    }

    @Test
    public void longListScrolls() throws Exception {
        harness.show("list");
        Observation observation = client.observe();
        NodeRecord list = observation.node(observation.findClass("ListView"));
        assertTrue((list.flags & 1 << 9) != 0);
        assertTrue(observation.nodes().size() < 100);
        assertEquals(1, observation.get("Row 1").item[0]);
        assertTrue(client.act(observation.revision, observation.findClass("ListView"), NodeActions.FORWARD, "").isDone());
        harness.pumpFor(600);
        Observation after = client.observe();
        assertEquals(-1, after.find("Row 0"));
        assertTrue(client.act(after.revision, after.findClass("ListView"), NodeActions.BACKWARD, "").isDone());
        harness.pumpFor(600);
        assertTrue(client.observe().find("Row 0") >= 0);
    }

    @Test
    public void recyclerViewScrolls() throws Exception {
        if (API < 28) return;
        harness.show("recycler");
        Observation observation = client.observe();
        int recycler = observation.findClass("RecyclerView");
        assertArrayEquals(new int[] {Screens.ROWS, 1}, Arrays.copyOf(observation.node(recycler).collection, 2));
        assertTrue(client.act(observation.revision, recycler, NodeActions.FORWARD, "").isDone());
        harness.pumpFor(600);
        assertEquals(-1, client.observe().find("Rec 0"));
    }

    @Test
    public void dialogIsTopmostWindow() throws Exception {
        assumeTrue(canTouch());
        harness.show("controls");
        Observation observation = client.observe();
        client.act(observation, "Open", NodeActions.CLICK, "");
        Observation both = client.observeUntil("Delete 3 files");
        both.requireComplete();
        assertEquals(2, both.screen.windows.size());
        WindowRecord dialog = both.screen.windows.get(0);
        assertEquals(3, dialog.flags);
        assertEquals(0, both.screen.windows.get(1).flags);
        assertTrue(dialog.layer > both.screen.windows.get(1).layer);
        assertTrue(dialog.bounds[1] > 300);
        assertTrue(both.find("Tap") > dialog.nodes.size());
        assertEquals(API >= 33 ? 1 : 0, dialog.region.size());
        // A touch on a button of the dialog closes it.
        int[] no = ServerTest.center(both.node(both.find(API < 26 ? "No" : "NO")));
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(40, no)).isDone());
        awaitStatus("no");
        assertEquals(1, client.observe().screen.windows.size());
    }

    @Test
    public void menuIsSeparateWindow() throws Exception {
        assumeTrue(canTouch());
        harness.show("controls");
        Observation observation = client.observe();
        client.act(observation, "Menu", NodeActions.CLICK, "");
        client.observeUntil("Move");
        harness.pumpFor(800);
        Observation menu = client.observe();
        assertEquals(2, menu.screen.windows.size());
        NodeRecord move = menu.get("Move");
        NodeRecord anchor = menu.get("Menu");
        assertTrue(move.top + " below " + anchor.bottom, move.top > anchor.top && move.bottom < anchor.bottom + 500);
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(40, ServerTest.center(move))).isDone());
        awaitStatus("chose Move");
    }

    @Test
    public void windowsWithoutRootMakeTheScreenIncomplete() throws Exception {
        harness.system.hideRoots = true;
        Observation observation = client.observe();
        assertFalse(observation.isComplete());
        assertEquals(WindowRecord.NO_ROOT, observation.screen.windows.get(0).flags & WindowRecord.NO_ROOT);
        assertEquals(0, observation.nodes().size());
        harness.system.hideRoots = false;
        client.observe().requireComplete();
    }

    @Test
    public void changingScreenIsObservedWithoutWaiting() throws Exception {
        harness.show("restless");
        long before = 0;
        for (int i = 0; i < 5; i++) {
            harness.pumpFor(50);
            Observation observation = client.observe();
            // An observation is incomplete if a view is removed meanwhile.
            while (!observation.isComplete()) observation = client.observe();
            assertTrue(observation.revision > before);
            before = observation.revision;
        }
    }

    @Test
    public void changeIsSignaledOnceUntilTheNextObservation() throws Exception {
        harness.show("controls");
        Observation observation = observeWhenIdle();
        int before = client.messages();
        client.act(observation, "Tap", NodeActions.CLICK, "");
        harness.until(() -> client.messages() > before);
        client.act(observation, "Tap", NodeActions.CLICK, "");
        harness.pumpFor(500);
        assertEquals(before + 1, client.messages());
        BodyReader body = client.lastMessage().body();
        assertEquals(0, client.lastMessage().frame.id);
        assertEquals(Protocol.CHANGED, body.uint());
        assertTrue(body.uint() != 0);
        body.end();
        client.observe();
        client.act(observation, "Tap", NodeActions.CLICK, "");
        harness.until(() -> client.messages() > before + 1);
    }

    @Test
    public void touchesTapLongPressAndDrag() throws Exception {
        assumeTrue(canTouch());
        harness.show("controls");
        Observation observation = client.observe();
        int[] tap = ServerTest.center(observation.get("Tap"));
        harness.player.injected.clear();
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(30, tap)).isDone());
        awaitStatus("tapped 1");
        assertEquals(Arrays.asList(MotionEvent.ACTION_DOWN, MotionEvent.ACTION_UP), harness.player.injected);
        // After a short tap, Android resets the pressed state with a delay, which would cancel the next press.
        harness.until(() -> !harness.app.findViewById(android.R.id.button1).isPressed());
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(900, tap)).isDone());
        awaitStatus("held 1");
        NodeRecord pad = observation.get("Pad");
        long began = System.nanoTime();
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(200, new int[] {100, pad.top + 10, 300, pad.top + 50, 250, pad.top + 60})).isDone());
        assertTrue((System.nanoTime() - began) / 1000000 >= 195);
        awaitStatus("pad 1 fingers, up at 250,60");
        assertDone(client.call(Protocol.TOUCH, TestClient.touch(150, new int[] {100, pad.top + 10, 300, pad.top + 50},
                new int[] {400, pad.top + 10, 310, pad.top + 50}, new int[] {500, pad.top + 9})));
        awaitStatus("pad 3 fingers, up at " + lastLiftedPosition());
    }

    @Test
    public void heldFingerDrags() throws Exception {
        assumeTrue(canTouch());
        harness.show("card");
        NodeRecord card = client.observe().get("Card");
        int[] path = {card.left + 20, card.top + 10, card.left + 20, card.top + 300, card.left + 200, card.top + 400};
        harness.player.injected.clear();
        long began = System.nanoTime();
        assertDone(client.call(Protocol.TOUCH, TestClient.touch(900, 300, 0, path)));
        assertTrue((System.nanoTime() - began) / 1000000 >= 1195);
        awaitStatus("dropped at 200,400");
        List<Integer> injected = new ArrayList<>(harness.player.injected);
        assertEquals(MotionEvent.ACTION_DOWN, (int) injected.get(0));
        assertEquals(1, Collections.frequency(injected, MotionEvent.ACTION_DOWN));
        assertEquals(injected.size() - 2, Collections.frequency(injected, MotionEvent.ACTION_MOVE));
        assertEquals(MotionEvent.ACTION_UP, (int) injected.get(injected.size() - 1));
        assertDone(client.call(Protocol.TOUCH, TestClient.touch(0, 300, 0, path)));
        awaitStatus("not taken");
    }

    @Test
    public void rotatedScreenIsObservedAndTouched() throws Exception {
        harness.show("controls");
        Observation upright = client.observe();
        assertEquals(0, upright.screen.display.rotation);
        harness.rotate("controls");
        Observation rotated = client.observe();
        rotated.requireComplete();
        assertEquals(1782, rotated.screen.display.width);
        assertEquals(822, rotated.screen.display.height);
        assertEquals(1, rotated.screen.display.rotation);
        assertTrue(rotated.revision > upright.revision);
        assertEquals("STALE/NOT_DONE", client.act(upright, "Tap", NodeActions.CLICK, "").error());
        assumeTrue(canTouch());
        assertDone(client.call(Protocol.TOUCH, TestClient.touch(30, ServerTest.center(rotated.get("Tap")))));
        awaitStatus("tapped 1");
    }

    @Test
    public void swipeScrollsList() throws Exception {
        assumeTrue(canTouch());
        harness.show("list");
        client.observe();
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(200, new int[] {400, 1200, 400, 400})).isDone());
        harness.pumpFor(500);
        assertEquals(-1, client.observe().find("Row 0"));
    }

    @Test
    public void restingFingerStopsScrolling() throws Exception {
        assumeTrue(canTouch() && canRest());
        harness.show("list");
        int before = client.observe().get("Row 9").top;
        // Robolectric's VelocityTracker uses the last 200 ms of its clock, which can be behind the wall clock.
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(0, 100, 1000, new int[] {400, 1200, 400, 700})).isDone());
        int lifted = client.observe().get("Row 9").top;
        int slop = android.view.ViewConfiguration.get(harness.app).getScaledTouchSlop();
        assertTrue(before + " to " + lifted, Math.abs(before - lifted - 500) <= slop);
        harness.pumpFor(500);
        assertEquals(lifted, client.observe().get("Row 9").top);
    }

    @Test
    public void keysGoToFocusedField() throws Exception {
        harness.show("controls");
        Observation observation = client.observe();
        client.act(observation, "Name", NodeActions.FOCUS, "");
        for (int code : new int[] {KeyEvent.KEYCODE_H, KeyEvent.KEYCODE_I}) {
            assertTrue(client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(code).uint(0)).isDone());
        }
        assertTrue(client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(KeyEvent.KEYCODE_A).uint(KeyEvent.META_SHIFT_ON)).isDone());
        assertEquals("hiA", harness.app.name.getText().toString());
        assertTrue(client.call(Protocol.KEY, new BodyWriter().uint(0).uint(0).uint(KeyEvent.KEYCODE_BACK).uint(0)).isDone());
        harness.pumpFor(50);
        assertEquals("home", harness.app.screen);
    }

    @Test
    public void inputTypesAreReported() throws Exception {
        harness.show("inputs");
        Observation observation = client.observe();
        assertEquals(0x21, observation.get("TYPE_TEXT_VARIATION_EMAIL_ADDRESS").inputType);
        assertEquals(0x2002, observation.get("TYPE_NUMBER_FLAG_DECIMAL").inputType & 0x2002);
        assertEquals(3, observation.get("TYPE_CLASS_PHONE").inputType);
        assertTrue((observation.get("TYPE_TEXT_FLAG_MULTI_LINE").flags & 1 << 16) != 0);
        assertTrue((observation.get("TYPE_TEXT_VARIATION_WEB_PASSWORD").flags & 1 << 10) != 0);
        int phone = observation.find("TYPE_CLASS_PHONE");
        assertEquals("+49 123", textOf(client.act(observation.revision, phone, NodeActions.SET_TEXT, "+49 123")));
        int far = observation.find("TYPE_TEXT_VARIATION_WEB_PASSWORD");
        assertTrue(client.act(observation.revision, far, NodeActions.SHOW, "").isDone());
    }

    static String textOf(TestClient.Reply reply) throws Exception {
        BodyReader body = reply.body();
        assertEquals(1, body.uint());
        return body.text();
    }

    @Test
    public void rightToLeftAndLargeTextAreObserved() throws Exception {
        assumeTrue(canTouch());
        harness.show("rtl");
        Observation observation = client.observe();
        assertTrue(observation.find("مرحبا بالعالم") > 0);
        int[] tap = ServerTest.center(observation.get("Tap"));
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(30, tap)).isDone());
        awaitStatus("tapped 1");
        harness.show("large");
        observation = client.observe();
        NodeRecord large = observation.get("Large");
        assertTrue(large.bottom - large.top > 60);
        assertTrue(client.call(Protocol.TOUCH, TestClient.touch(30, ServerTest.center(large))).isDone());
        awaitStatus("large");
    }

    @Test
    public void screenshotsHaveRequestedSizeAndFormat() throws Exception {
        assertScreenshot(screenshotRequest(0, 0, 0), 822, 1782, 0x89);
        assertScreenshot(screenshotRequest(0, 90, 0), 822, 1782, 0xff);
        assertScreenshot(screenshotRequest(0, 0, 1000), 462, 1000, 0x89);
        assertScreenshot(screenshotRequest(0, 90, 300), 139, 300, 0xff);
        assertScreenshot(screenshotRequest(0, 90, 4096), 822, 1782, 0xff);
        assertEquals("UNSUPPORTED/NOT_DONE", client.call(Protocol.SCREENSHOT, screenshotRequest(5, 0, 0)).error());
        assertEquals("BAD_REQUEST/NOT_DONE", client.call(Protocol.SCREENSHOT, screenshotRequest(0, 101, 0)).error());
    }

    static BodyWriter screenshotRequest(int display, int quality, int maxSide) {
        return new BodyWriter().uint(0).uint(display).uint(quality).uint(maxSide);
    }

    private void assertScreenshot(BodyWriter request, int width, int height, int firstByte) throws Exception {
        BodyReader body = client.call(Protocol.SCREENSHOT, request).body();
        assertEquals(width, body.uint());
        assertEquals(height, body.uint());
        byte[] image = body.bytes();
        body.end();
        // Robolectric has no real bitmaps before API 26.
        if (API < 26) return;
        assertEquals((byte) firstByte, image[0]);
        Bitmap bitmap = BitmapFactory.decodeByteArray(image, 0, image.length);
        assertEquals(width, bitmap.getWidth());
        assertEquals(height, bitmap.getHeight());
    }

    @Test
    public void unknownDisplaysAreRejected() throws Exception {
        String error = client.call(Protocol.OBSERVE, new BodyWriter().uint(0).uint(9).uint(0)).error();
        assertEquals(API < 30 ? "UNSUPPORTED/NOT_DONE" : "NO_WINDOW/NOT_DONE", error);
    }

    @Test
    public void clipboardIsReadAndWritten() throws Exception {
        assertEquals(SCRIPTS, client.call(Protocol.CLIPBOARD, new BodyWriter().uint(0).uint(1).text(SCRIPTS)).body().text());
        assertEquals(SCRIPTS, client.call(Protocol.CLIPBOARD, new BodyWriter().uint(0).uint(0).text("")).body().text());
    }

    @Test
    public void rotationIsSet() throws Exception {
        Observation upright = client.observe();
        for (int rotation = 3; rotation >= 0; rotation--) {
            assertTrue(client.call(Protocol.ROTATE, new BodyWriter().uint(0).uint(rotation)).isDone());
            Observation observation = client.observe();
            assertEquals(rotation, observation.screen.display.rotation);
            DisplayFacts display = upright.screen.display;
            assertEquals(rotation % 2 == 0 ? display.width : display.height, observation.screen.display.width);
        }
        assertTrue(client.call(Protocol.ROTATE, new BodyWriter().uint(0).uint(Protocol.AUTO_ROTATION)).isDone());
        assertEquals("BAD_REQUEST/NOT_DONE", client.call(Protocol.ROTATE, new BodyWriter().uint(0).uint(5)).error());
    }

    @Test
    public void serviceRequestsWindowsIdsAndAllViews() {
        assertEquals(SERVICE_FLAGS, harness.system.info.flags & SERVICE_FLAGS);
        assertEquals(-1, harness.system.info.eventTypes);
        if (API >= 24) assertEquals(1, harness.system.connectFlags);
    }
}
