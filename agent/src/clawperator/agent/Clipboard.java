package clawperator.agent;

import android.content.ClipData;
import java.lang.reflect.Method;

/** Calls the clipboard service as the package of the shell. */
final class Clipboard {
    private static final String PACKAGE = "com.android.shell";

    static boolean isAvailable() {
        try {
            return service() != null;
        } catch (Exception e) {
            return false;
        }
    }

    static String read() throws Failure {
        ClipData clip = (ClipData) call("getPrimaryClip", null);
        if (clip == null || clip.getItemCount() == 0) return "";
        CharSequence text = clip.getItemAt(0).getText();
        return text == null ? "" : text.toString();
    }

    static void write(String text) throws Failure {
        call("setPrimaryClip", ClipData.newPlainText("", text));
    }

    private static Object service() throws Exception {
        return Platform.service("clipboard", "android.content.IClipboard");
    }

    /** Later versions have more parameters: clip, package, attribution tag, user, device. */
    private static Object call(String name, ClipData clip) throws Failure {
        try {
            Object service = service();
            if (service == null) throw new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE, "there is no clipboard service");
            for (Method method : service.getClass().getMethods()) {
                if (!method.getName().equals(name)) continue;
                method.setAccessible(true);
                return method.invoke(service, arguments(method.getParameterTypes(), clip));
            }
            throw new Failure(Protocol.CODE_UNSUPPORTED, Protocol.NOT_DONE, "the clipboard service has no " + name);
        } catch (Failure e) {
            throw e;
        } catch (Exception e) {
            throw Failure.of(Platform.cause(e), Protocol.NOT_DONE);
        }
    }

    private static Object[] arguments(Class<?>[] types, ClipData clip) {
        Object[] values = new Object[types.length];
        boolean hasPackage = false;
        for (int i = 0; i < types.length; i++) {
            if (types[i] == ClipData.class) {
                values[i] = clip;
            } else if (types[i] == int.class) {
                values[i] = 0;
            } else if (types[i] == boolean.class) {
                values[i] = false;
            } else if (types[i] == String.class && !hasPackage) {
                values[i] = PACKAGE;
                hasPackage = true;
            }
        }
        return values;
    }

    private Clipboard() {}
}
