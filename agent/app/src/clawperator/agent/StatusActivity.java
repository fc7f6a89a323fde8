package clawperator.agent;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.provider.Settings;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;
import android.widget.Toast;
import java.util.List;

/** The status screen: the state of the service, missing settings, and buttons to change them. */
public final class StatusActivity extends Activity {
    private static final String NOTIFICATIONS = "android.permission.POST_NOTIFICATIONS";
    private static final long REFRESH_INTERVAL_MS = 1000;

    private final Handler handler = new Handler(Looper.getMainLooper());
    private final Runnable refresher = new Runnable() {
        @Override
        public void run() {
            refresh();
            handler.postDelayed(this, REFRESH_INTERVAL_MS);
        }
    };
    private TextView status;
    private Button allow;
    private Button stop;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        LinearLayout column = new LinearLayout(this);
        column.setOrientation(LinearLayout.VERTICAL);
        int space = Math.round(16 * getResources().getDisplayMetrics().density);
        column.setPadding(space, space, space, space);
        status = new TextView(this);
        status.setTextSize(16);
        status.setTextIsSelectable(true);
        column.addView(status);
        addButton(column, "Accessibility settings", new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                open(new Intent(Settings.ACTION_ACCESSIBILITY_SETTINGS));
            }
        });
        allow = addButton(column, "Allow notifications", new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                allowNotifications();
            }
        });
        stop = addButton(column, "Stop", new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                RuntimeService service = RuntimeService.current();
                if (service != null) service.stop();
                refresh();
            }
        });
        ScrollView scroller = new ScrollView(this);
        // Android 15 draws apps under the system bars.
        scroller.setFitsSystemWindows(true);
        scroller.addView(column);
        setContentView(scroller);
    }

    private Button addButton(LinearLayout column, String text, View.OnClickListener listener) {
        Button button = new Button(this);
        button.setText(text);
        button.setOnClickListener(listener);
        column.addView(button);
        return button;
    }

    @Override
    protected void onResume() {
        super.onResume();
        refresher.run();
    }

    @Override
    protected void onPause() {
        handler.removeCallbacks(refresher);
        super.onPause();
    }

    private void refresh() {
        StringBuilder text = new StringBuilder();
        List<String> lines = Status.lines(this);
        for (String line : lines) text.append(text.length() == 0 ? "" : "\n\n").append(line);
        if (!text.toString().contentEquals(status.getText())) status.setText(text);
        allow.setVisibility(Status.areNotificationsAllowed(this) ? View.GONE : View.VISIBLE);
        stop.setEnabled(RuntimeService.current() != null);
    }

    private void allowNotifications() {
        if (Build.VERSION.SDK_INT >= 33) {
            requestPermissions(new String[] {NOTIFICATIONS}, 1);
        } else {
            open(new Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, Uri.fromParts("package", getPackageName(), null)));
        }
    }

    private void open(Intent intent) {
        try {
            startActivity(intent);
        } catch (ActivityNotFoundException e) {
            Toast.makeText(this, "This phone has no such settings screen.", Toast.LENGTH_LONG).show();
        }
    }
}
