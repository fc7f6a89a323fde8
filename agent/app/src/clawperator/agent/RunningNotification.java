package clawperator.agent;

import android.app.Notification;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.app.Service;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import android.util.Log;

/** A notification that the service is on, with a stop button. */
final class RunningNotification {
    static final int ID = 1;
    private static final String TAG = "clawperator";

    static void show(Service service) {
        Notification notification = build(service);
        try {
            service.startForeground(ID, notification);
        } catch (RuntimeException e) {
            // Some versions do not allow a foreground service here; the accessibility service also runs without it.
            Log.w(TAG, "the service is not in the foreground", e);
            manager(service).notify(ID, notification);
        }
    }

    @SuppressWarnings("deprecation")
    static void hide(Service service) {
        service.stopForeground(true);
        manager(service).cancel(ID);
    }

    private static NotificationManager manager(Context context) {
        return (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
    }

    @SuppressWarnings("deprecation")
    private static Notification build(Context context) {
        PendingIntent stop = PendingIntent.getBroadcast(context, 0, new Intent(context, StopReceiver.class),
                PendingIntent.FLAG_UPDATE_CURRENT | PendingIntent.FLAG_IMMUTABLE);
        PendingIntent open = PendingIntent.getActivity(context, 0, new Intent(context, StatusActivity.class),
                PendingIntent.FLAG_UPDATE_CURRENT | PendingIntent.FLAG_IMMUTABLE);
        Notification.Builder builder = Build.VERSION.SDK_INT >= 26
                ? ServiceLevel26.builder(context, manager(context)) : new Notification.Builder(context);
        return builder.setSmallIcon(android.R.drawable.ic_menu_view)
                .setContentTitle("Clawperator runtime is on")
                .setContentText("A computer that this phone trusts can operate it through adb.")
                .setContentIntent(open)
                .setOngoing(true)
                .addAction(new Notification.Action.Builder(null, "Stop", stop).build())
                .build();
    }

    private RunningNotification() {}
}
