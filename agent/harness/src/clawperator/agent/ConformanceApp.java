package clawperator.agent;

import android.app.Activity;
import android.content.Context;
import android.graphics.Color;
import android.os.Bundle;
import android.text.Editable;
import android.text.InputType;
import android.text.TextWatcher;
import android.view.KeyEvent;
import android.view.View;
import android.view.Window;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.inputmethod.EditorInfo;
import android.widget.Button;
import android.widget.EditText;
import android.widget.FrameLayout;
import android.widget.LinearLayout;
import android.widget.Switch;
import android.widget.TextView;

/** The app of the driver conformance suite (testkit/testdata/conformance) with real widgets at the same bounds and with the same ids. */
public class ConformanceApp extends Activity {
    static final String PACKAGE = "com.test.conform";
    private static final int ROWS = 60;
    /** The log of widget events. */
    static Journal journal;

    private FrameLayout page;
    private TextView count;
    private int clicks;
    private int longClicks;
    private int submits;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        requestWindowFeature(Window.FEATURE_NO_TITLE);
        page = new FrameLayout(this);
        page.setBackgroundColor(Color.WHITE);
        // Otherwise the first field has the initial focus.
        page.setFocusableInTouchMode(true);
        place(new TextView(this), "Conformance", 63, 131, 1017, 205);
        count = place(new TextView(this), "", "count", 0, 252, 1080, 315);
        Button add = addButton("Add", "add", 1, 0, 315, 192, 441);
        add.setOnLongClickListener(view -> {
            note("long_click", "add");
            longClicks++;
            showCount();
            return true;
        });
        addField("Name", "name", InputType.TYPE_CLASS_TEXT, 441);
        addField("Secret", "secret", InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD, 588);
        Switch light = place(new Switch(this), "Light", "light", 0, 735, 1080, 861);
        light.setOnCheckedChangeListener((view, on) -> note("click", "light"));
        Button odd = addButton("<Quotes> & \"signs\" 'ü' 漢字", "odd", 0, 0, 861, 559, 987);
        odd.setContentDescription("Odd, a button");
        odd.setEnabled(false);
        addButton("Under", "under", 100, 0, 987, 1080, 1113);
        addButton("Over it all", "over", 1000, 0, 987, 1080, 1113);
        page.addView(Recycler.make(this, id("rows"), LinearLayout.VERTICAL, new Rows()), bounds(0, 1113, 1080, 2196));
        showCount();
        setContentView(page);
    }

    @Override
    public void onBackPressed() {
        // The app has one page.
    }

    private static String id(String name) {
        return PACKAGE + ":id/" + name;
    }

    private static void note(String kind, String id) {
        journal.add(kind, "\"widget\":{\"id\":\"" + id(id) + "\"}");
    }

    private void showCount() {
        count.setText("count " + clicks + ", held " + longClicks + ", sent " + submits);
    }

    private static FrameLayout.LayoutParams bounds(int left, int top, int right, int bottom) {
        FrameLayout.LayoutParams bounds = new FrameLayout.LayoutParams(right - left, bottom - top);
        bounds.leftMargin = left;
        bounds.topMargin = top;
        return bounds;
    }

    private <T extends TextView> T place(T view, String text, int left, int top, int right, int bottom) {
        view.setText(text);
        page.addView(view, bounds(left, top, right, bottom));
        return view;
    }

    /** Adds a view with an id that is not a resource of this process. */
    private <T extends TextView> T place(T view, String text, String id, int left, int top, int right, int bottom) {
        view.setAccessibilityDelegate(new View.AccessibilityDelegate() {
            @Override
            public void onInitializeAccessibilityNodeInfo(View host, AccessibilityNodeInfo info) {
                super.onInitializeAccessibilityNodeInfo(host, info);
                info.setViewIdResourceName(id(id));
            }
        });
        return place(view, text, left, top, right, bottom);
    }

    private Button addButton(String text, String id, int adds, int left, int top, int right, int bottom) {
        Button button = place(new Button(this), text, id, left, top, right, bottom);
        button.setAllCaps(false);
        button.setOnClickListener(view -> {
            note("click", id);
            clicks += adds;
            showCount();
        });
        return button;
    }

    private void addField(String hint, String id, int type, int top) {
        EditText field = place(new EditText(this), "", id, 0, top, 1080, top + 147);
        field.setHint(hint);
        field.setInputType(type);
        field.setImeOptions(EditorInfo.IME_ACTION_DONE);
        field.setOnEditorActionListener((view, action, event) -> {
            if (event != null && event.getAction() != KeyEvent.ACTION_DOWN) return true;
            note("submit", id);
            submits++;
            showCount();
            return true;
        });
        field.addTextChangedListener(new TextWatcher() {
            @Override
            public void beforeTextChanged(CharSequence text, int start, int length, int after) {}

            @Override
            public void onTextChanged(CharSequence text, int start, int before, int length) {}

            @Override
            public void afterTextChanged(Editable text) {
                note("text", id);
            }
        });
    }

    private static final class Rows implements Recycler.Content {
        @Override
        public int count() {
            return ROWS;
        }

        @Override
        public View row(Context context) {
            FrameLayout row = new FrameLayout(context);
            row.setMinimumHeight(154);
            row.addView(new TextView(context), bounds(92, 42, 233, 112));
            return row;
        }

        @Override
        public void fill(View row, int index) {
            ((TextView) ((FrameLayout) row).getChildAt(0)).setText("Row " + (index + 1));
        }

        @Override
        public void onScrolled() {
            note("scroll", "rows");
        }
    }
}
