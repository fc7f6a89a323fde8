package clawperator.agent;

import android.app.UiAutomation;
import android.os.Build;
import android.os.IBinder;
import android.os.Looper;
import android.util.SparseArray;
import android.view.InputEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;

/** Calls of hidden APIs and of APIs that differ between levels. agent/README.md lists them. */
final class Platform {
    private static final int API = Build.VERSION.SDK_INT;
    /** UiAutomation.FLAG_DONT_SUPPRESS_ACCESSIBILITY_SERVICES, from 24. */
    private static final int KEEP_SERVICES = 1;
    /** InputManager.INJECT_INPUT_EVENT_MODE_ASYNC and ..._WAIT_FOR_RESULT; ..._WAIT_FOR_FINISH would wait for the app. */
    private static final int ASYNC = 0;
    private static final int WAIT_FOR_RESULT = 1;

    private static Object inputManager;
    private static Method injectMethod;
    private static Method displayMethod;
    private static Method checkedMethod;

    /** Connects a UiAutomation in the same way as the tools of the shell. */
    static UiAutomation connect(Looper looper) throws Failure {
        UiAutomation automation;
        try {
            Class<?> kind = Class.forName("android.app.IUiAutomationConnection");
            Object connection = Class.forName("android.app.UiAutomationConnection").getDeclaredConstructor().newInstance();
            automation = construct(looper, kind, connection);
        } catch (Exception e) {
            throw new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE, "no UiAutomation: " + Failure.describe(cause(e)));
        }
        connectOrNameHolder(automation);
        return automation;
    }

    /** Connects an automation; if the slot is taken, the error names its holder. */
    static void connectOrNameHolder(UiAutomation automation) throws Failure {
        try {
            connect(automation);
        } catch (Exception e) {
            throw slotTaken(cause(e));
        }
    }

    private static UiAutomation construct(Looper looper, Class<?> kind, Object connection) throws Exception {
        try {
            Constructor<UiAutomation> constructor = UiAutomation.class.getDeclaredConstructor(Looper.class, kind);
            constructor.setAccessible(true);
            return constructor.newInstance(looper, connection);
        } catch (NoSuchMethodException e) {
            Constructor<UiAutomation> constructor = UiAutomation.class.getDeclaredConstructor(int.class, Looper.class, kind);
            constructor.setAccessible(true);
            return constructor.newInstance(0, looper, connection);
        }
    }

    private static void connect(UiAutomation automation) throws Exception {
        if (API >= 24) {
            method(UiAutomation.class, "connect", int.class).invoke(automation, KEEP_SERVICES);
        } else {
            method(UiAutomation.class, "connect").invoke(automation);
        }
    }

    private static Failure slotTaken(Throwable cause) {
        String text = Failure.describe(cause);
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (!(t instanceof IllegalStateException)) continue;
            String holder = SlotHolder.find();
            return new Failure(Protocol.CODE_SLOT_TAKEN, Protocol.NOT_DONE,
                    (holder == null ? "an unknown program" : holder) + " holds the UiAutomation (" + text + ")");
        }
        return Failure.of(cause, Protocol.NOT_DONE);
    }

    static void disconnect(UiAutomation automation) {
        try {
            method(UiAutomation.class, "disconnect").invoke(automation);
        } catch (Exception e) {
            throw unchecked(e);
        }
    }

    /** Clears the client's cache of windows and nodes; false if this version has no such method. */
    static boolean clearCache(UiAutomation automation) {
        try {
            return clearCacheOrThrow(automation);
        } catch (Exception e) {
            return false;
        }
    }

    static boolean clearCacheOrThrow(UiAutomation automation) throws Exception {
        if (API >= 34) {
            return Boolean.TRUE.equals(method(UiAutomation.class, "clearCache").invoke(automation));
        }
        Class<?> kind = Class.forName("android.view.accessibility.AccessibilityInteractionClient");
        Object client = method(kind, "getInstance").invoke(null);
        Method clearAll = find(kind, "clearCache");
        if (clearAll != null) {
            clearAll.invoke(client);
            return true;
        }
        Method clearConnection = find(kind, "clearCache", int.class);
        if (clearConnection == null) return false;
        clearConnection.invoke(client, method(UiAutomation.class, "getConnectionId").invoke(automation));
        return true;
    }

    static SparseArray<List<AccessibilityWindowInfo>> windows(UiAutomation automation) {
        if (API >= 30) return Level30.windows(automation);
        SparseArray<List<AccessibilityWindowInfo>> all = new SparseArray<List<AccessibilityWindowInfo>>();
        List<AccessibilityWindowInfo> windows = automation.getWindows();
        if (!windows.isEmpty()) all.put(0, windows);
        return all;
    }

    /** Injects an event through the input manager. */
    static boolean inject(InputEvent event, int display, boolean wait) throws Failure {
        try {
            prepareInput();
            if (displayMethod != null) {
                displayMethod.invoke(event, display);
            } else if (display != 0) {
                throw new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE, "input on other displays needs Android 10");
            }
            return (Boolean) injectMethod.invoke(inputManager, event, wait ? WAIT_FOR_RESULT : ASYNC);
        } catch (Failure e) {
            throw e;
        } catch (Exception e) {
            throw unchecked(e);
        }
    }

    private static synchronized void prepareInput() throws Exception {
        if (inputManager != null) return;
        String name = API >= 34 ? "android.hardware.input.InputManagerGlobal" : "android.hardware.input.InputManager";
        Class<?> kind = Class.forName(name);
        injectMethod = method(kind, "injectInputEvent", InputEvent.class, int.class);
        if (API >= 29) displayMethod = method(InputEvent.class, "setDisplayId", int.class);
        inputManager = method(kind, "getInstance").invoke(null);
    }

    /** A display, or null if it does not exist. */
    static DisplayFacts display(int id) {
        try {
            Class<?> kind = Class.forName("android.hardware.display.DisplayManagerGlobal");
            Object info = method(kind, "getDisplayInfo", int.class).invoke(method(kind, "getInstance").invoke(null), id);
            if (info == null) return null;
            return new DisplayFacts(number(info, "logicalWidth"), number(info, "logicalHeight"), number(info, "rotation"),
                    number(info, "logicalDensityDpi"));
        } catch (Exception e) {
            throw unchecked(e);
        }
    }

    /** A system service by its AIDL interface, or null. */
    static Object service(String name, String kind) throws Exception {
        Object binder = method(Class.forName("android.os.ServiceManager"), "getService", String.class).invoke(null, name);
        if (binder == null) return null;
        return method(Class.forName(kind + "$Stub"), "asInterface", IBinder.class).invoke(null, binder);
    }

    /** Whether a node is partially checked; the state exists from API 36. */
    static boolean isPartiallyChecked(AccessibilityNodeInfo node) {
        if (API < 36) return false;
        try {
            if (checkedMethod == null) checkedMethod = AccessibilityNodeInfo.class.getMethod("getChecked");
            return Integer.valueOf(2).equals(checkedMethod.invoke(node));
        } catch (Exception e) {
            return false;
        }
    }

    /** The exception that a method called by reflection has thrown. */
    static Throwable cause(Throwable thrown) {
        return thrown instanceof InvocationTargetException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    static RuntimeException unchecked(Exception e) {
        Throwable cause = cause(e);
        if (cause instanceof RuntimeException) return (RuntimeException) cause;
        if (cause instanceof Error) throw (Error) cause;
        return new RuntimeException(Failure.describe(cause), cause);
    }

    private static int number(Object of, String field) throws Exception {
        Field found = of.getClass().getField(field);
        return found.getInt(of);
    }

    private static Method method(Class<?> of, String name, Class<?>... types) throws NoSuchMethodException {
        Method found = of.getDeclaredMethod(name, types);
        found.setAccessible(true);
        return found;
    }

    private static Method find(Class<?> of, String name, Class<?>... types) {
        try {
            return method(of, name, types);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private Platform() {}
}
