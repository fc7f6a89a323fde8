package clawperator.agent;

import android.app.Activity;
import android.app.AlertDialog;
import android.content.Context;
import android.graphics.Color;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.text.InputFilter;
import android.text.InputType;
import android.view.View;
import android.view.ViewGroup;
import android.view.Window;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.inputmethod.EditorInfo;
import android.widget.Button;
import android.widget.EditText;
import android.widget.FrameLayout;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.SeekBar;
import android.widget.TextView;

/** The most used apps of the engine's scenarios (crates/core/engine/testdata/scenarios), with real widgets and the same ids. */
public class ScenarioApp extends Activity {
    /** The prefix of their packages. */
    static final String PREFIX = "com.example.";
    /** The extra of the intent that names the package. */
    static final String NAME = "name";
    private static final int ROW_HEIGHT = 150;
    private static final int NUMBERS = 60;

    private final Handler handler = new Handler(Looper.getMainLooper());
    private String name;
    private LinearLayout page;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        requestWindowFeature(Window.FEATURE_NO_TITLE);
        name = getIntent().getStringExtra(NAME);
        page = new LinearLayout(this);
        page.setOrientation(LinearLayout.VERTICAL);
        page.setBackgroundColor(Color.WHITE);
        switch (name.substring(PREFIX.length())) {
            case "facts": facts(); break;
            case "form": form(); break;
            case "late": late(); break;
            case "notes": notes(); break;
            case "numbers": numbers(); break;
            case "page": page(); break;
            case "sound": sound(); break;
            default: break;
        }
        setContentView(page);
    }

    @Override
    protected void onDestroy() {
        handler.removeCallbacksAndMessages(null);
        super.onDestroy();
    }

    private void facts() {
        item("Battery", "83%", LinearLayout.VERTICAL);
        item("Capacity", "5000 mAh", LinearLayout.HORIZONTAL);
        text(box(page, LinearLayout.VERTICAL), "Developer options");
        ViewGroup weather = identify(box(page, LinearLayout.VERTICAL), "weather");
        text(weather, "21.5 °C");
        text(weather, "Temperature");
        item("Total", "$ 12.00", LinearLayout.HORIZONTAL);
        item("Battery", "Spare: 40%", LinearLayout.VERTICAL);
        show(item("Wi-Fi", "Late", LinearLayout.VERTICAL), 1000);
    }

    private void form() {
        identify(text(page, "Your data"), "heading");
        EditText person = field("name", "Name", InputType.TYPE_CLASS_TEXT);
        person.setText("Ann");
        field("code", "Code", InputType.TYPE_CLASS_TEXT).setFilters(new InputFilter[] {new InputFilter.LengthFilter(4)});
        field("amount", "Amount", InputType.TYPE_CLASS_NUMBER);
        field("secret", "Password", InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD);
        field("locked", "Locked", InputType.TYPE_CLASS_TEXT).setEnabled(false);
        Button send = identify(new Button(this), "send");
        send.setText("Send");
        send.setEnabled(false);
        handler.postDelayed(() -> send.setEnabled(true), 1200);
        page.addView(send);
        Button never = identify(new Button(this), "never");
        never.setText("Never");
        never.setEnabled(false);
        page.addView(never);
        TextView sent = identify(text(page, "Sent: "), "sent");
        send.setOnClickListener(view -> sent.setText("Sent: form"));
        person.setOnEditorActionListener((view, action, event) -> {
            sent.setText("Sent: " + view.getText());
            return true;
        });
    }

    private void late() {
        ImageView reload = new ImageView(this);
        reload.setContentDescription("Reload feed");
        reload.setOnClickListener(view -> {});
        page.addView(reload, new LinearLayout.LayoutParams(ROW_HEIGHT, ROW_HEIGHT));
        hide(text(page, "Loading…"), 1200);
        show(identify(text(page, "News of the day"), "news"), 1200);
        show(text(page, "Weather"), 15000);
    }

    private void notes() {
        text(page, "Notes").setHeight(252);
        ViewGroup list = identify(box(page, LinearLayout.VERTICAL), "notes");
        for (String title : new String[] {"Shopping", "Ideas"}) {
            LinearLayout row = box(list, LinearLayout.HORIZONTAL);
            row.setMinimumHeight(ROW_HEIGHT);
            text(row, title);
            row.setOnClickListener(view -> {
                page.removeAllViews();
                identify(text(page, "Milk and bread"), "body");
            });
            if (!title.equals("Shopping")) continue;
            identify(row, "first").setOnLongClickListener(view -> {
                new AlertDialog.Builder(this).setTitle("Delete this note?").setPositiveButton("Delete", null).setNegativeButton("Keep", null).show();
                return true;
            });
        }
    }

    private void numbers() {
        TextView picked = identify(text(page, "Picked "), "picked");
        FrameLayout frame = identify(new FrameLayout(this), "frame");
        page.addView(frame, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 0, 1));
        frame.addView(Recycler.make(this, id("list"), LinearLayout.VERTICAL, new Recycler.Content() {
            @Override
            public int count() {
                return NUMBERS;
            }

            @Override
            public View row(Context context) {
                LinearLayout row = new LinearLayout(context);
                row.setMinimumHeight(ROW_HEIGHT);
                row.addView(new TextView(context));
                return row;
            }

            @Override
            public void fill(View row, int index) {
                int number = index + 1;
                ((TextView) ((ViewGroup) row).getChildAt(0)).setText("Row " + number);
                row.setOnClickListener(view -> picked.setText("Picked " + number));
                row.setOnLongClickListener(view -> {
                    picked.setText("Picked long " + number);
                    return true;
                });
            }
        }));
        page.addView(Recycler.make(this, id("chips"), LinearLayout.HORIZONTAL, new Recycler.Content() {
            @Override
            public int count() {
                return NUMBERS;
            }

            @Override
            public View row(Context context) {
                return new Button(context);
            }

            @Override
            public void fill(View row, int index) {
                ((Button) row).setAllCaps(false);
                ((Button) row).setText("Chip " + (index + 1));
            }
        }), new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ROW_HEIGHT));
    }

    private void page() {
        identify(text(page, "ORD-123456"), "order");
        identify(text(page, "0.5.3"), "version");
        identify(text(page, "20.7°C"), "temperature");
        identify(text(page, "beta"), "name");
        ImageView signal = identify(new ImageView(this), "signal");
        signal.setContentDescription("Signal strong");
        page.addView(signal, new LinearLayout.LayoutParams(ROW_HEIGHT, ROW_HEIGHT));
        ViewGroup address = identify(box(page, LinearLayout.HORIZONTAL), "address");
        text(address, "Main Street 1");
        text(address, "Springfield");
        page.addView(identify(new View(this), "nothing"), new LinearLayout.LayoutParams(53, 53));
        hide(identify(text(page, "…"), "later"), 1000);
        show(identify(text(page, "42"), "later"), 1000);
        ViewGroup said = identify(box(page, LinearLayout.VERTICAL), "said");
        for (String words : new String[] {"He said \"hello\"", "a\\b and c/d", "tab\tend", "Größe • 3 × 4 \ud83d\ude00", " "}) {
            identify(text(said, words), "words");
        }
    }

    private void sound() {
        SeekBar volume = slider("volume", "Volume", 100, 30);
        SeekBar level = slider("level", "Level", 6, 1);
        TextView value = identify(text(page, ""), "value");
        SeekBar.OnSeekBarChangeListener listener = new SeekBar.OnSeekBarChangeListener() {
            @Override
            public void onProgressChanged(SeekBar bar, int progress, boolean byUser) {
                value.setText("value: " + volume.getProgress() + " and " + level.getProgress());
            }

            @Override
            public void onStartTrackingTouch(SeekBar bar) {}

            @Override
            public void onStopTrackingTouch(SeekBar bar) {}
        };
        volume.setOnSeekBarChangeListener(listener);
        level.setOnSeekBarChangeListener(listener);
    }

    private String id(String suffix) {
        return name + ":id/" + suffix;
    }

    /** Gives a view an id that is not a resource of this process. */
    private <T extends View> T identify(T view, String suffix) {
        view.setAccessibilityDelegate(new View.AccessibilityDelegate() {
            @Override
            public void onInitializeAccessibilityNodeInfo(View host, AccessibilityNodeInfo info) {
                super.onInitializeAccessibilityNodeInfo(host, info);
                info.setViewIdResourceName(id(suffix));
            }
        });
        return view;
    }

    private TextView text(ViewGroup parent, String text) {
        TextView view = new TextView(this);
        view.setText(text);
        parent.addView(view);
        return view;
    }

    private LinearLayout box(ViewGroup parent, int orientation) {
        LinearLayout box = new LinearLayout(this);
        box.setOrientation(orientation);
        parent.addView(box, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.WRAP_CONTENT));
        return box;
    }

    /** A title with a text below it or at its right. */
    private View item(String title, String text, int orientation) {
        LinearLayout row = box(page, orientation);
        row.setPadding(40, 40, 40, 40);
        text(row, title).setLayoutParams(new LinearLayout.LayoutParams(600, ViewGroup.LayoutParams.WRAP_CONTENT));
        text(row, text);
        return row;
    }

    private EditText field(String id, String hint, int type) {
        EditText field = identify(new EditText(this), id);
        field.setHint(hint);
        field.setInputType(type);
        field.setImeOptions(EditorInfo.IME_ACTION_DONE);
        page.addView(field);
        return field;
    }

    private SeekBar slider(String id, String description, int max, int value) {
        SeekBar slider = identify(new SeekBar(this), id);
        slider.setContentDescription(description);
        slider.setMax(max);
        slider.setProgress(value);
        page.addView(slider);
        return slider;
    }

    private void hide(View view, long afterMs) {
        handler.postDelayed(() -> view.setVisibility(View.GONE), afterMs);
    }

    private void show(View view, long afterMs) {
        view.setVisibility(View.GONE);
        handler.postDelayed(() -> view.setVisibility(View.VISIBLE), afterMs);
    }
}
