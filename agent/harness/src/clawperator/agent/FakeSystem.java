package clawperator.agent;

import android.accessibilityservice.AccessibilityService;
import android.accessibilityservice.AccessibilityServiceInfo;
import android.app.UiAutomation;
import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Rect;
import android.graphics.Region;
import android.os.Binder;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.IBinder;
import android.os.IInterface;
import android.os.Looper;
import android.os.RemoteCallback;
import android.util.DisplayMetrics;
import android.util.SparseArray;
import android.view.Gravity;
import android.view.KeyEvent;
import android.view.View;
import android.view.WindowManager;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityManager;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.util.ReflectionHelpers;

/** Replaces the system server between a UiAutomation or a service and the windows of this process. */
final class FakeSystem {
    private static final int CONNECTION = 7;
    private static final int ACTIVE_WINDOW = Integer.MAX_VALUE;
    private static final int OLD_ACTIVE_WINDOW = -2;

    /** A window that a view root registered. */
    static final class Window {
        final int id;
        /** The package of its nodes. */
        final String owner;
        final Object token;
        final Object connection;

        Window(int id, String owner, Object token, Object connection) {
            this.id = id;
            this.owner = owner;
            this.token = token;
            this.connection = connection;
        }

        Object root() {
            WeakReference<?> root = ReflectionHelpers.getField(connection, "mViewRootImpl");
            return root.get();
        }

        View view() {
            Object root = root();
            return root == null ? null : ReflectionHelpers.callInstanceMethod(root, "getView");
        }

        WindowManager.LayoutParams layout() {
            return (WindowManager.LayoutParams) view().getLayoutParams();
        }

        /** Whether its app is in the foreground; windows of other apps are hidden. */
        boolean isShown() {
            View view = view();
            return view != null && view.getVisibility() == View.VISIBLE;
        }
    }

    private final Handler main = new Handler(Looper.getMainLooper());
    private final List<Window> windows = new ArrayList<>();
    private Object client;
    /**
     * Ids are unique within the process: for a second after a scroll the framework requests single nodes of a window, which it
     * identifies by its id, and each test resets the clock.
     */
    private static final AtomicInteger NEXT_WINDOW = new AtomicInteger(1);
    /** The package of the foreground app, to which new windows belong. */
    volatile String front = "harness";
    /** Hides the roots of windows to simulate an incomplete screen. */
    volatile boolean hideRoots;
    /** Makes find calls throw. */
    volatile boolean failCalls;
    /** Whether another program holds the UiAutomation. */
    volatile boolean slotTaken;
    volatile int connectFlags;
    /** Makes the list of windows fail. */
    volatile boolean failWindows;
    /** Cancels each gesture, as a touch by the user would. */
    volatile boolean cancelGestures;
    /** Whether fields get no input connection. */
    volatile boolean withholdInput;
    private View inputField;
    /** The error of screenshots; by default, of a secure window. */
    volatile int screenshotError = 6;
    /** Number of requested screenshots. */
    final AtomicInteger screenshots = new AtomicInteger();
    /** Whether the service has disabled itself. */
    volatile boolean disabled;
    /** The last gesture of a service. */
    private volatile GesturePlayer gesture;
    /** Receives the input of gestures. */
    TouchPlayer player;
    /** When the first event since it was set to 0 was sent, in microseconds since the epoch. */
    volatile long eventTime;
    /** When the last windows or nodes were sent, by System.nanoTime(). */
    volatile long answerNanos;
    /** Number of requests for nodes. */
    final AtomicInteger fetches = new AtomicInteger();
    volatile AccessibilityServiceInfo info = new AccessibilityServiceInfo();

    /** Replaces the service of the accessibility manager; must be called before the first activity starts. */
    void install() throws Exception {
        AccessibilityManager manager =
                (AccessibilityManager) RuntimeEnvironment.getApplication().getSystemService(Context.ACCESSIBILITY_SERVICE);
        ReflectionHelpers.setField(manager, "mService",
                proxy("android.view.accessibility.IAccessibilityManager", (self, method, arguments) -> manage(method, arguments)));
        Shadows.shadowOf(manager).setEnabled(true);
        try {
            ReflectionHelpers.setField(manager, "mRelevantEventTypes", AccessibilityEvent.TYPES_ALL_MASK);
        } catch (RuntimeException absent) {
            // Old versions send all events.
        }
    }

    private Object manage(Method method, Object[] arguments) throws Exception {
        switch (method.getName()) {
            case "addAccessibilityInteractionConnection":
                for (Object argument : arguments) {
                    if (argument instanceof android.view.accessibility.IAccessibilityInteractionConnection) {
                        return add(arguments[0], argument);
                    }
                }
                throw new IllegalStateException("no connection");
            case "removeAccessibilityInteractionConnection":
                remove(arguments[0]);
                return null;
            case "sendAccessibilityEvent":
                deliver((AccessibilityEvent) arguments[0]);
                return null;
            default:
                return method.getReturnType() == List.class ? new ArrayList<>() : null;
        }
    }

    private synchronized int add(Object token, Object connection) {
        int id = NEXT_WINDOW.getAndIncrement();
        windows.add(new Window(id, front, token, connection));
        return id;
    }

    private void remove(Object token) {
        synchronized (this) {
            windows.removeIf(window -> window.token == token);
        }
        sendWindowsChanged();
    }

    /** Sends an event that the list of windows changed. */
    void sendWindowsChanged() {
        AccessibilityEvent event = AccessibilityEvent.obtain(AccessibilityEvent.TYPE_WINDOWS_CHANGED);
        try {
            deliver(event);
        } catch (Exception ignored) {
            // There is no listener.
        }
    }

    synchronized List<Window> windows() {
        return new ArrayList<>(windows);
    }

    private void deliver(AccessibilityEvent source) throws Exception {
        Object receiver = client;
        if (receiver == null) return;
        if (eventTime == 0) eventTime = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        AccessibilityEvent event = AccessibilityEvent.obtain(source);
        // As in the system, an event has a package of its sender.
        for (Window window : windows()) {
            boolean hasPackages = Build.VERSION.SDK_INT >= Build.VERSION_CODES.O;
            if (hasPackages && window.id == event.getWindowId()) event.setPackageName(window.owner);
        }
        ReflectionHelpers.callInstanceMethod(event, "setConnectionId",
                ReflectionHelpers.ClassParameter.from(int.class, CONNECTION));
        ReflectionHelpers.callInstanceMethod(event, "setSealed",
                ReflectionHelpers.ClassParameter.from(boolean.class, true));
        Method method = method("android.accessibilityservice.IAccessibilityServiceClient", "onAccessibilityEvent");
        if (method.getParameterCount() == 2) {
            method.invoke(receiver, event, true);
        } else {
            method.invoke(receiver, event);
        }
    }

    /** A real UiAutomation that uses this object as its system; not yet connected. */
    UiAutomation automation(Looper looper) throws Exception {
        Class<?> kind = Class.forName("android.app.IUiAutomationConnection");
        Object connection = proxy(kind.getName(), (self, method, arguments) -> {
            if (method.getName().equals("connect")) {
                if (slotTaken) throw new IllegalStateException("UiAutomationService already registered!");
                client = arguments[0];
                if (arguments.length > 1) connectFlags = (Integer) arguments[1];
                method("android.accessibilityservice.IAccessibilityServiceClient", "init")
                        .invoke(client, serviceConnection(), CONNECTION, new Binder());
            }
            // A view with a pane title sends an event when it goes, also after the test.
            if (method.getName().equals("disconnect")) client = null;
            if (method.getName().equals("setRotation")) rotate((Integer) arguments[0]);
            return method.getReturnType() == boolean.class ? true : null;
        });
        return UiAutomation.class.getConstructor(Looper.class, kind).newInstance(looper, connection);
    }

    /** Rotates the display; negative numbers enable auto-rotation and are ignored. */
    private void rotate(int rotation) throws Exception {
        if (rotation < 0) return;
        onMain(() -> {
            RuntimeEnvironment.setQualifiers(rotation % 2 == 0 ? "+port" : "+land");
            Shadows.shadowOf(ShadowDisplay.getDefaultDisplay()).setRotation(rotation);
            return null;
        });
    }

    /** Connects an accessibility service; `binder` is the result of its onBind. */
    void bind(IBinder binder) throws Exception {
        client = binder;
        method("android.accessibilityservice.IAccessibilityServiceClient", "init")
                .invoke(client, serviceConnection(), CONNECTION, new Binder());
    }

    /** Disconnects the UiAutomation. */
    void disconnect() throws Exception {
        Object receiver = client;
        client = null;
        method("android.accessibilityservice.IAccessibilityServiceClient", "init").invoke(receiver, null, CONNECTION, null);
    }

    /** Whether the client still has the connection; it is notified asynchronously. */
    boolean isConnected() {
        try {
            Class<?> kind = Class.forName("android.view.accessibility.AccessibilityInteractionClient");
            Method method = kind.getDeclaredMethod("getConnection", int.class);
            method.setAccessible(true);
            return method.invoke(kind.getMethod("getInstance").invoke(null), CONNECTION) != null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object serviceConnection() throws Exception {
        return proxy("android.accessibilityservice.IAccessibilityServiceConnection", (self, method, arguments) -> {
            String name = method.getName();
            switch (name) {
                case "getServiceInfo":
                    return info;
                case "setServiceInfo":
                    info = (AccessibilityServiceInfo) arguments[0];
                    return null;
                case "getWindow":
                    Window one = window((Integer) arguments[0]);
                    return one == null ? null : onMain(() -> describe(one));
                case "getWindows":
                    return windowList(method.getReturnType());
                case "performAccessibilityAction":
                    return forward(name, arguments);
                case "performGlobalAction":
                    return performGlobalAction((Integer) arguments[0]);
                case "sendGesture":
                case "dispatchGesture":
                    gesture((Integer) arguments[0], arguments[1]);
                    return null;
                case "takeScreenshot":
                    refuseScreenshot(arguments);
                    return null;
                case "disableSelf":
                    disabled = true;
                    return null;
                default:
                    if (!name.startsWith("find") && !name.equals("focusSearch")) return null;
                    // The window may be closed meanwhile.
                    Window requested = window((Integer) arguments[0]);
                    boolean known = forward(name, arguments);
                    if (method.getReturnType() == boolean.class) return known;
                    return known && requested != null ? new String[] {requested.owner} : null;
            }
        });
    }

    /** Presses the equivalent key; other actions are not supported. */
    private boolean performGlobalAction(int action) throws Exception {
        int key;
        switch (action) {
            case AccessibilityService.GLOBAL_ACTION_BACK: key = KeyEvent.KEYCODE_BACK; break;
            case AccessibilityService.GLOBAL_ACTION_HOME: key = KeyEvent.KEYCODE_HOME; break;
            case AccessibilityService.GLOBAL_ACTION_RECENTS: key = KeyEvent.KEYCODE_APP_SWITCH; break;
            default: return false;
        }
        return onMain(() -> player.play(new KeyEvent(KeyEvent.ACTION_DOWN, key), 0) && player.play(new KeyEvent(KeyEvent.ACTION_UP, key), 0));
    }

    /** Performs a gesture; cancels the previous one if it is running. */
    private void gesture(int sequence, Object slice) {
        Object receiver = client;
        GesturePlayer before = gesture;
        GesturePlayer next = new GesturePlayer(this, player);
        gesture = next;
        Thread thread = new Thread("gesture") {
            @Override
            public void run() {
                try {
                    if (before != null) before.end();
                    boolean done = next.play(ReflectionHelpers.<List<?>>callInstanceMethod(slice, "getList"), cancelGestures);
                    method("android.accessibilityservice.IAccessibilityServiceClient", "onPerformGestureResult")
                            .invoke(receiver, sequence, done);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        thread.setDaemon(true);
        thread.start();
    }

    private void refuseScreenshot(Object[] arguments) {
        screenshots.incrementAndGet();
        Bundle answer = new Bundle();
        answer.putInt("screenshot_status", screenshotError);
        for (Object argument : arguments) {
            if (argument instanceof RemoteCallback) ((RemoteCallback) argument).sendResult(answer);
        }
    }

    private Object windowList(Class<?> type) throws Exception {
        if (failWindows) throw new IllegalStateException("the harness makes this call fail");
        List<AccessibilityWindowInfo> list = new ArrayList<>();
        if ((info.flags & AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS) != 0) {
            list = onMain(() -> {
                List<AccessibilityWindowInfo> infos = new ArrayList<>();
                List<Window> all = windows();
                for (int i = all.size() - 1; i >= 0; i--) {
                    if (all.get(i).isShown()) infos.add(describe(all.get(i)));
                }
                return infos;
            });
        }
        if (type == List.class) return list;
        @SuppressWarnings("unchecked")
        SparseArray<List<AccessibilityWindowInfo>> displays =
                (SparseArray<List<AccessibilityWindowInfo>>) type.getConstructor().newInstance();
        displays.put(0, list);
        return displays;
    }

    private AccessibilityWindowInfo describe(Window window) {
        positionWindow(window);
        AccessibilityWindowInfo result = AccessibilityWindowInfo.obtain();
        View view = window.view();
        Rect bounds = bounds(window);
        boolean active = window == active();
        set(result, "setId", int.class, window.id);
        set(result, "setType", int.class, AccessibilityWindowInfo.TYPE_APPLICATION);
        set(result, "setLayer", int.class, windows().indexOf(window));
        set(result, "setActive", boolean.class, active);
        set(result, "setFocused", boolean.class, active);
        set(result, "setConnectionId", int.class, CONNECTION);
        try {
            set(result, "setTitle", CharSequence.class, window.layout().getTitle());
        } catch (RuntimeException absent) {
            // Titles came with API 24.
        }
        try {
            set(result, "setRegionInScreen", Region.class, new Region(bounds));
        } catch (RuntimeException absent) {
            set(result, "setBoundsInScreen", Rect.class, bounds);
        }
        return result;
    }

    private static void set(Object of, String method, Class<?> type, Object value) {
        ReflectionHelpers.callInstanceMethod(of, method,
                new ReflectionHelpers.ClassParameter<>(type, value));
    }

    Rect bounds(Window window) {
        return onScreen(window.view());
    }

    /** The bounds as accessibility nodes report them. */
    private static Rect onScreen(View view) {
        Rect bounds = new Rect();
        ReflectionHelpers.callInstanceMethod(view, "getBoundsOnScreen", ReflectionHelpers.ClassParameter.from(Rect.class, bounds));
        return bounds;
    }

    /** Positions a window like the window manager and marks it as visible. Runs on the main thread. */
    private void positionWindow(Window window) {
        View view = window.view();
        if (view == null) return;
        Object attachment = ReflectionHelpers.getField(view, "mAttachInfo");
        if (attachment == null) return;
        ReflectionHelpers.setField(attachment, "mWindowVisibility", View.VISIBLE);
        WindowManager.LayoutParams layout = window.layout();
        // The display may have been rotated.
        DisplayMetrics screen = RuntimeEnvironment.getApplication().getResources().getDisplayMetrics();
        Rect position = new Rect();
        int gravity = layout.gravity == 0 ? Gravity.CENTER : layout.gravity;
        Gravity.apply(gravity, view.getWidth(), view.getHeight(), new Rect(0, 0, screen.widthPixels, screen.heightPixels), layout.x, layout.y, position);
        position.offset(Math.max(0, -position.left), Math.max(0, -position.top));
        // On some levels Robolectric already adds the x and y of the layout.
        ReflectionHelpers.setField(attachment, "mWindowLeft", 0);
        ReflectionHelpers.setField(attachment, "mWindowTop", 0);
        Rect added = onScreen(view);
        ReflectionHelpers.setField(attachment, "mWindowLeft", position.left - added.left);
        ReflectionHelpers.setField(attachment, "mWindowTop", position.top - added.top);
    }

    /** A screenshot of all windows. Runs on the main thread. */
    Bitmap draw(int width, int height) {
        Bitmap bitmap = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
        Canvas canvas = new Canvas(bitmap);
        canvas.drawColor(Color.WHITE);
        for (Window window : windows()) {
            if (!window.isShown()) continue;
            Rect bounds = bounds(window);
            canvas.save();
            canvas.translate(bounds.left, bounds.top);
            window.view().draw(canvas);
            canvas.restore();
        }
        return bitmap;
    }

    /** The topmost window that can have the focus. */
    Window active() {
        List<Window> all = windows();
        for (int i = all.size() - 1; i >= 0; i--) {
            Window window = all.get(i);
            if (!window.isShown()) continue;
            if ((window.layout().flags & WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE) == 0) return window;
        }
        return null;
    }

    /** The window that receives a touch: the topmost window at the point, or a modal window above it. */
    Window windowAt(float x, float y) {
        List<Window> all = windows();
        for (int i = all.size() - 1; i >= 0; i--) {
            Window window = all.get(i);
            if (!window.isShown()) continue;
            positionWindow(window);
            int flags = window.layout().flags;
            if ((flags & WindowManager.LayoutParams.FLAG_NOT_TOUCHABLE) != 0) continue;
            boolean modal = (flags & (WindowManager.LayoutParams.FLAG_NOT_TOUCH_MODAL | WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE)) == 0;
            if (modal || bounds(window).contains((int) x, (int) y)) return window;
        }
        return null;
    }

    private Window window(int id) {
        if (id == ACTIVE_WINDOW || id == OLD_ACTIVE_WINDOW) return active();
        for (Window window : windows()) {
            if (window.id == id) return window;
        }
        return null;
    }

    /** Forwards a call of the client to the connection of the window; arguments are identified by their types. */
    private boolean forward(String name, Object[] given) throws Exception {
        if (failCalls) throw new IllegalStateException("the harness makes this call fail");
        Window window = window((Integer) given[0]);
        if (window == null || window.view() == null || hideRoots) return false;
        main.post(() -> positionWindow(window));
        if (name.startsWith("find")) fetches.incrementAndGet();
        int callback = 0;
        while (!(given[callback] instanceof android.view.accessibility.IAccessibilityInteractionConnectionCallback)) callback++;
        int flags = fetchFlags();
        long thread = 0;
        Bundle extra = null;
        for (int i = callback + 1; i < given.length; i++) {
            if (given[i] instanceof Long) thread = (Long) given[i];
            if (given[i] instanceof Integer) flags |= (Integer) given[i];
            if (given[i] instanceof Bundle) extra = (Bundle) given[i];
        }
        Method method = method("android.view.accessibility.IAccessibilityInteractionConnection", name);
        Class<?>[] types = method.getParameterTypes();
        Object[] values = new Object[types.length];
        int next = 1;
        boolean after = false;
        boolean flagged = false;
        for (int i = 0; i < types.length; i++) {
            if (IInterface.class.isAssignableFrom(types[i])) {
                values[i] = copyingCallback(given[callback]);
                after = true;
            } else if (!after) {
                if (types[i] != Region.class) values[i] = given[next++];
            } else if (types[i] == int.class) {
                values[i] = flagged ? android.os.Process.myPid() : flags;
                flagged = true;
            } else if (types[i] == long.class) {
                values[i] = thread;
            } else if (types[i] == Bundle.class) {
                values[i] = extra;
            }
        }
        method.invoke(window.connection, values);
        if (name.startsWith("perform")) main.post(this::startInput);
        return true;
    }

    /** Since Android 13, services with an input method get the connection of the focused field. Runs on the main thread. */
    private void startInput() {
        Window window = active();
        View focused = window == null || window.view() == null ? null : window.view().findFocus();
        boolean wanted = Build.VERSION.SDK_INT >= 33 && (info.flags & AccessibilityServiceInfo.FLAG_INPUT_METHOD_EDITOR) != 0;
        if (!wanted || withholdInput || focused == inputField || focused == null || !focused.onCheckIsTextEditor()) return;
        inputField = focused;
        EditorInfo editor = new EditorInfo();
        editor.packageName = window.owner;
        editor.fieldId = focused.getId();
        InputConnection connection = focused.onCreateInputConnection(editor);
        try {
            Object remote = proxy("com.android.internal.inputmethod.IRemoteAccessibilityInputConnection",
                    (self, method, arguments) -> {
                        main.post(() -> type(connection, method.getName(), arguments));
                        return null;
                    });
            method("android.accessibilityservice.IAccessibilityServiceClient", "bindInput").invoke(client);
            method("android.accessibilityservice.IAccessibilityServiceClient", "startInput").invoke(client, remote, editor, false);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Applies a call of a service to the connection of a field; its first argument identifies the connection. Runs on the main thread. */
    private static void type(InputConnection connection, String name, Object[] arguments) {
        switch (name) {
            case "setSelection":
                connection.setSelection((Integer) arguments[1], (Integer) arguments[2]);
                break;
            case "performContextMenuAction":
                connection.performContextMenuAction((Integer) arguments[1]);
                break;
            case "commitText":
                connection.commitText((CharSequence) arguments[1], (Integer) arguments[2]);
                break;
            default:
                throw new IllegalStateException(name);
        }
    }

    /** A callback that receives copies of nodes, as from another process; both sides would modify shared nodes. */
    private Object copyingCallback(Object callback) throws Exception {
        return proxy("android.view.accessibility.IAccessibilityInteractionConnectionCallback", (self, method, arguments) -> {
            Object[] copies = arguments.clone();
            for (int i = 0; i < copies.length; i++) {
                if (copies[i] instanceof AccessibilityNodeInfo) {
                    copies[i] = AccessibilityNodeInfo.obtain((AccessibilityNodeInfo) copies[i]);
                } else if (copies[i] instanceof List) {
                    List<Object> list = new ArrayList<>();
                    for (Object element : (List<?>) copies[i]) {
                        boolean node = element instanceof AccessibilityNodeInfo;
                        list.add(node ? AccessibilityNodeInfo.obtain((AccessibilityNodeInfo) element) : element);
                    }
                    copies[i] = list;
                }
            }
            answerNanos = System.nanoTime();
            return method.invoke(callback, copies);
        });
    }

    private int fetchFlags() {
        int flags = 0;
        if ((info.flags & AccessibilityServiceInfo.FLAG_INCLUDE_NOT_IMPORTANT_VIEWS) != 0) {
            flags |= constant("FLAG_SERVICE_REQUESTS_INCLUDE_NOT_IMPORTANT_VIEWS", "FLAG_INCLUDE_NOT_IMPORTANT_VIEWS");
        }
        if ((info.flags & AccessibilityServiceInfo.FLAG_REPORT_VIEW_IDS) != 0) {
            flags |= constant("FLAG_SERVICE_REQUESTS_REPORT_VIEW_IDS", "FLAG_REPORT_VIEW_IDS");
        }
        return flags;
    }

    private static int constant(String... names) {
        for (String name : names) {
            try {
                Field field = AccessibilityNodeInfo.class.getDeclaredField(name);
                field.setAccessible(true);
                return field.getInt(null);
            } catch (ReflectiveOperationException absent) {
                continue;
            }
        }
        throw new IllegalStateException(names[0]);
    }

    /** Runs on the main thread, which a test pumps, and waits for the result. */
    <T> T onMain(Callable<T> call) throws Exception {
        if (Looper.myLooper() == Looper.getMainLooper()) return call.call();
        FutureTask<T> task = new FutureTask<>(call);
        main.post(task);
        return task.get(5, TimeUnit.SECONDS);
    }

    private static Method method(String kind, String name) throws Exception {
        for (Method method : Class.forName(kind).getMethods()) {
            if (method.getName().equals(name)) return method;
        }
        throw new NoSuchMethodException(kind + "." + name);
    }

    private static Object proxy(String kind, InvocationHandler handler) throws Exception {
        Class<?> type = Class.forName(kind);
        IBinder binder = new Binder();
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            switch (method.getName()) {
                case "asBinder": return binder;
                case "hashCode": return System.identityHashCode(self);
                case "equals": return self == arguments[0];
                case "toString": return "harness's " + type.getSimpleName();
                default: break;
            }
            Object result = handler.invoke(self, method, arguments);
            if (result != null || !method.getReturnType().isPrimitive()) return result;
            Class<?> wanted = method.getReturnType();
            if (wanted == boolean.class) return false;
            if (wanted == long.class) return 0L;
            if (wanted == float.class) return 0f;
            return wanted == void.class ? null : (Object) 0;
        });
    }
}
