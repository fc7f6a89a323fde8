package clawperator.agent;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** Handles the stop button of the notification. */
public final class StopReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
        RuntimeService service = RuntimeService.current();
        if (service != null) service.stop();
    }
}
