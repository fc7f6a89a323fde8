package clawperator.agent;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.content.Context;

/** Calls of the app that exist from API 26. */
final class ServiceLevel26 {
    private static final String CHANNEL = "running";

    static Notification.Builder builder(Context context, NotificationManager manager) {
        manager.createNotificationChannel(new NotificationChannel(CHANNEL, "Service is on", NotificationManager.IMPORTANCE_LOW));
        return new Notification.Builder(context, CHANNEL);
    }

    private ServiceLevel26() {}
}
