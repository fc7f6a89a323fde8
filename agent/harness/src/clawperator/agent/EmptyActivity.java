package clawperator.agent;

import android.app.Activity;
import android.graphics.Color;
import android.os.Bundle;
import android.widget.TextView;

/** An empty app. */
public class EmptyActivity extends Activity {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        TextView text = new TextView(this);
        text.setText("Another app");
        text.setBackgroundColor(Color.LTGRAY);
        setContentView(text);
    }

    @Override
    public void onBackPressed() {
        // The app stays open.
    }
}
