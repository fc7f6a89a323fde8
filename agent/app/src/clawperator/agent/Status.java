package clawperator.agent;

import android.app.NotificationManager;
import android.content.ComponentName;
import android.content.Context;
import android.content.pm.PackageManager;
import android.os.Build;
import android.provider.Settings;
import java.util.ArrayList;
import java.util.List;

/** Describes the state of the service and missing settings. */
final class Status {
    /** Why the service is not running. */
    static String offReason(Context context) {
        return isEnabled(context)
                ? "the accessibility service is switched on, but Android does not run it; switch it off and on again"
                : "the accessibility service is switched off";
    }

    /** Whether the settings list the service as enabled. */
    static boolean isEnabled(Context context) {
        String enabled = Settings.Secure.getString(context.getContentResolver(), Settings.Secure.ENABLED_ACCESSIBILITY_SERVICES);
        if (enabled == null) return false;
        ComponentName own = new ComponentName(context, RuntimeService.class);
        for (String name : enabled.split(":")) {
            if (own.equals(ComponentName.unflattenFromString(name))) return true;
        }
        return false;
    }

    static boolean areNotificationsAllowed(Context context) {
        if (Build.VERSION.SDK_INT < 24) return true;
        return ServiceLevel24.areNotificationsAllowed((NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE));
    }

    /** The lines of the status screen. */
    static List<String> lines(Context context) {
        List<String> lines = new ArrayList<String>();
        RuntimeService service = RuntimeService.current();
        AppServer server = service == null ? null : service.server();
        lines.add(server == null ? "Service: off. " + remedy(context) : "Service: on");
        lines.add("Connection: " + connection(server));
        lines.add(areNotificationsAllowed(context) ? "Notification: allowed"
                : "Notification: not allowed. Without it no notification shows that the service is on.");
        lines.add("Version: " + version(context) + ", protocol " + Protocol.VERSION);
        String hash = Bytes.hex(Bytes.sha256(context.getPackageCodePath()));
        lines.add("SHA-256 of the app: " + (hash.isEmpty() ? "unknown" : hash));
        return lines;
    }

    private static String remedy(Context context) {
        return isEnabled(context)
                ? "It is switched on in the settings, but Android does not run it: switch it off and on again."
                : "Switch it on in the accessibility settings.";
    }

    private static String connection(AppServer server) {
        if (server == null) return "closed, because the service is off";
        if (server.problem() != null) return "failed: " + server.problem();
        if (server.line() == null) return "opening";
        return server.isOccupied() ? "a computer is connected through adb" : "open for a computer that this phone trusts (adb)";
    }

    private static String version(Context context) {
        try {
            return context.getPackageManager().getPackageInfo(context.getPackageName(), 0).versionName;
        } catch (PackageManager.NameNotFoundException e) {
            return "unknown";
        }
    }

    private Status() {}
}
