package clawperator.agent;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** The notification's stop button. */
public final class StopReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
        RuntimeService service = RuntimeService.current();
        if (service != null) service.stop();
    }
}
