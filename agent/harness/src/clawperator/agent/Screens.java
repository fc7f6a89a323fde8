package clawperator.agent;

import android.app.Activity;
import android.app.AlertDialog;
import android.content.Context;
import android.content.res.Configuration;
import android.graphics.Color;
import android.graphics.Rect;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.text.InputType;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import android.view.inputmethod.EditorInfo;
import android.widget.ArrayAdapter;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.ListView;
import android.widget.PopupMenu;
import android.widget.ScrollView;
import android.widget.SeekBar;
import android.widget.Switch;
import android.widget.TextView;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** The app of the harness: a home screen with buttons that open test screens. */
public class Screens extends Activity {
    static final String[] NAMES = {"controls", "inputs", "list", "recycler", "restless", "rtl", "large", "terms"};
    static final int ROWS = 1000;
    /** Delay of the effect of the button "Later". */
    private static final long LATER_MS = 1500;

    private static final int COUNTERS = 45;
    private static final int GROUP = 15;

    private final Handler handler = new Handler(Looper.getMainLooper());
    private LinearLayout column;
    private Runnable ticker;
    String screen;
    /** Shows the last event. */
    TextView status;
    EditText name;
    EditText secret;
    ListView list;
    View recycler;
    AlertDialog dialog;
    int taps;
    int longTaps;
    int ticks;
    private final List<TextView> counters = new ArrayList<>();
    private int changes;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setTitle("Harness");
        show("home");
    }

    @Override
    public void onBackPressed() {
        if (!screen.equals("home")) show("home");
    }

    @Override
    protected void onDestroy() {
        handler.removeCallbacksAndMessages(null);
        super.onDestroy();
    }

    void show(String wanted) {
        handler.removeCallbacksAndMessages(null);
        screen = wanted;
        taps = 0;
        longTaps = 0;
        ticks = 0;
        column = new LinearLayout(this);
        column.setOrientation(LinearLayout.VERTICAL);
        column.setBackgroundColor(Color.WHITE);
        status = new TextView(this);
        status.setId(android.R.id.title);
        status.setText(wanted);
        column.addView(status);
        boolean scrolls = true;
        switch (wanted) {
            case "controls": addControls(); break;
            case "inputs": addInputs(); break;
            case "list": addList(); scrolls = false; break;
            case "recycler": addRecycler(); scrolls = false; break;
            case "restless": addTicker(); break;
            case "rtl":
                column.setLayoutDirection(View.LAYOUT_DIRECTION_RTL);
                addText("مرحبا بالعالم");
                addControls();
                break;
            case "large": addLarge(); break;
            case "terms": addTerms(); scrolls = false; break;
            case "counters": addCounters(); break;
            case "home":
                for (String target : NAMES) addButton(target, view -> show(target));
                break;
            default: Gallery.add(wanted, this, column, this::showStatus);
        }
        if (scrolls) {
            ScrollView scroller = new ScrollView(this);
            scroller.addView(column);
            setContentView(scroller);
        } else {
            setContentView(column);
        }
    }

    void showStatus(String text) {
        status.setText(text);
    }

    private void addControls() {
        name = new EditText(this);
        name.setId(android.R.id.edit);
        name.setHint("Name");
        name.setSingleLine();
        name.setImeOptions(EditorInfo.IME_ACTION_DONE);
        name.setOnEditorActionListener((view, action, event) -> {
            if (event == null || event.getAction() == android.view.KeyEvent.ACTION_DOWN) showStatus("submitted " + view.getText());
            return true;
        });
        column.addView(name);
        secret = new EditText(this);
        secret.setId(android.R.id.input);
        secret.setInputType(InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD);
        secret.setText("secret");
        column.addView(secret);
        Button tap = addButton("Tap", view -> showStatus("tapped " + ++taps));
        tap.setId(android.R.id.button1);
        tap.setOnLongClickListener(view -> {
            showStatus("held " + ++longTaps);
            return true;
        });
        addButton("Open", view -> openDialog()).setId(android.R.id.button2);
        addButton("Menu", this::openMenu).setId(android.R.id.button3);
        addButton("Later", view -> handler.postDelayed(() -> showStatus("later"), LATER_MS));
        Switch wifi = new Switch(this);
        wifi.setText("Wi-Fi");
        wifi.setChecked(true);
        wifi.setOnCheckedChangeListener((view, on) -> showStatus("wi-fi " + on));
        column.addView(wifi);
        CheckBox box = new CheckBox(this);
        box.setText("Remember");
        box.setId(android.R.id.checkbox);
        column.addView(box);
        SeekBar bar = new SeekBar(this);
        bar.setMax(10);
        bar.setProgress(3);
        bar.setId(android.R.id.progress);
        column.addView(bar);
        View days = new Days(this);
        column.addView(days, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 100));
        TextView refuser = addText("Refuser");
        refuser.setClickable(false);
        View pad = new Pad(this);
        pad.setContentDescription("Pad");
        column.addView(pad, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 300));
    }

    /** Makes a field return false for ACTION_SET_TEXT, like fields of some toolkits. */
    void refuseSetText(View field) {
        field.setAccessibilityDelegate(new View.AccessibilityDelegate() {
            @Override
            public boolean performAccessibilityAction(View host, int action, Bundle arguments) {
                return action != AccessibilityNodeInfo.ACTION_SET_TEXT && super.performAccessibilityAction(host, action, arguments);
            }
        });
    }

    void openDialog() {
        dialog = new AlertDialog.Builder(this).setTitle("Sure?").setMessage("Delete 3 files")
                .setPositiveButton("Yes", (box, which) -> showStatus("yes"))
                .setNegativeButton("No", (box, which) -> showStatus("no")).show();
    }

    private void openMenu(View anchor) {
        PopupMenu menu = new PopupMenu(this, anchor);
        for (String title : new String[] {"Copy", "Move", "Delete"}) menu.getMenu().add(title);
        menu.setOnMenuItemClickListener(item -> {
            showStatus("chose " + item.getTitle());
            return true;
        });
        menu.show();
    }

    /** One field of each type that InputType names. */
    private void addInputs() {
        for (Field field : InputType.class.getFields()) {
            String kind = field.getName();
            if (!Modifier.isStatic(field.getModifiers()) || kind.contains("MASK")) continue;
            try {
                int type = field.getInt(null);
                if (kind.startsWith("TYPE_TEXT_")) type |= InputType.TYPE_CLASS_TEXT;
                if (kind.startsWith("TYPE_NUMBER_")) type |= InputType.TYPE_CLASS_NUMBER;
                if (kind.startsWith("TYPE_DATETIME_")) type |= InputType.TYPE_CLASS_DATETIME;
                EditText edit = new EditText(this);
                edit.setInputType(type);
                edit.setHint(kind);
                edit.setContentDescription(kind);
                column.addView(edit);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void addList() {
        String[] rows = new String[ROWS];
        for (int i = 0; i < ROWS; i++) rows[i] = "Row " + i;
        list = new ListView(this);
        list.setId(android.R.id.list);
        list.setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_list_item_1, rows));
        list.setOnItemClickListener((parent, view, index, id) -> showStatus("row " + index));
        column.addView(list, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 1200));
    }

    private void addRecycler() {
        if (Build.VERSION.SDK_INT < 28) {
            addText("this API level has no RecyclerView");
            return;
        }
        recycler = Recycler.make(this, null, LinearLayout.VERTICAL, new Recycler.Content() {
            @Override
            public int count() {
                return ROWS;
            }

            @Override
            public View row(Context context) {
                TextView view = new TextView(context);
                view.setTextSize(20);
                return view;
            }

            @Override
            public void fill(View row, int index) {
                ((TextView) row).setText("Rec " + index);
            }
        });
        column.addView(recycler, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 1200));
    }

    private void addTicker() {
        TextView clock = addText("0");
        ticker = () -> {
            clock.setText(String.valueOf(++ticks));
            handler.postDelayed(ticker, 20);
        };
        ticker.run();
    }

    private void addLarge() {
        Configuration larger = new Configuration(getResources().getConfiguration());
        larger.fontScale = 2;
        Context context = createConfigurationContext(larger);
        TextView text = new TextView(context);
        text.setText("Large text that needs more than one line on a phone of this width");
        column.addView(text);
        Button button = new Button(context);
        button.setText("Large");
        button.setAllCaps(false);
        button.setOnClickListener(view -> showStatus("large"));
        column.addView(button);
    }

    /** A text that is longer than its scroll view, which clips its bounds. */
    private void addTerms() {
        StringBuilder terms = new StringBuilder();
        for (int i = 1; i <= 300; i++) terms.append("Clause ").append(i).append(" is agreed. ");
        TextView text = new TextView(this);
        text.setText(terms);
        ScrollView scroller = new ScrollView(this);
        scroller.setId(android.R.id.content);
        scroller.addView(text);
        column.addView(scroller, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 1200));
    }

    /** A hundred nodes in groups, for measurements. */
    private void addCounters() {
        changes = 0;
        counters.clear();
        LinearLayout group = null;
        for (int i = 0; i < COUNTERS; i++) {
            if (i % GROUP == 0) {
                group = new LinearLayout(this);
                group.setOrientation(LinearLayout.VERTICAL);
                column.addView(group);
            }
            TextView counter = new TextView(this);
            counter.setText(counterText(i));
            counters.add(counter);
            LinearLayout row = new LinearLayout(this);
            row.addView(counter, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.WRAP_CONTENT));
            group.addView(row);
        }
    }

    private String counterText(int index) {
        return "counter " + index + " is " + changes;
    }

    /** Changes the texts of the first counters. */
    void change(int count) {
        changes++;
        for (int i = 0; i < count; i++) counters.get(i).setText(counterText(i));
    }

    private TextView addText(String text) {
        TextView view = new TextView(this);
        view.setText(text);
        column.addView(view);
        return view;
    }

    private Button addButton(String text, View.OnClickListener listener) {
        Button button = new Button(this);
        button.setText(text);
        button.setAllCaps(false);
        button.setOnClickListener(listener);
        column.addView(button);
        return button;
    }

    /** A view that shows the number of fingers and the position of the last one. */
    private final class Pad extends View {
        int maxFingers;

        Pad(Context context) {
            super(context);
        }

        @Override
        public boolean onTouchEvent(android.view.MotionEvent event) {
            getParent().requestDisallowInterceptTouchEvent(true);
            maxFingers = Math.max(maxFingers, event.getPointerCount());
            switch (event.getActionMasked()) {
                case android.view.MotionEvent.ACTION_UP:
                    showStatus("pad " + maxFingers + " fingers, up at " + Math.round(event.getX()) + "," + Math.round(event.getY()));
                    maxFingers = 0;
                    break;
                case android.view.MotionEvent.ACTION_CANCEL:
                    showStatus("pad cancelled");
                    maxFingers = 0;
                    break;
                default:
                    break;
            }
            return true;
        }
    }

    /** A view that draws three days and describes them as virtual nodes. */
    private final class Days extends View {
        private final String[] days = {"Day 1", "Day 2", "Day 3"};

        Days(Context context) {
            super(context);
            setImportantForAccessibility(IMPORTANT_FOR_ACCESSIBILITY_YES);
        }

        @Override
        public AccessibilityNodeProvider getAccessibilityNodeProvider() {
            return new AccessibilityNodeProvider() {
                @Override
                public AccessibilityNodeInfo createAccessibilityNodeInfo(int id) {
                    return id == HOST_VIEW_ID ? host() : day(id);
                }

                @Override
                public boolean performAction(int id, int action, Bundle arguments) {
                    if (id < 0 || action != AccessibilityNodeInfo.ACTION_CLICK) return false;
                    showStatus("picked " + days[id]);
                    AccessibilityEvent event = AccessibilityEvent.obtain(AccessibilityEvent.TYPE_WINDOW_CONTENT_CHANGED);
                    event.setPackageName(getContext().getPackageName());
                    event.setSource(Days.this, id);
                    getParent().requestSendAccessibilityEvent(Days.this, event);
                    return true;
                }
            };
        }

        private AccessibilityNodeInfo host() {
            AccessibilityNodeInfo info = AccessibilityNodeInfo.obtain(this);
            onInitializeAccessibilityNodeInfo(info);
            for (int i = 0; i < days.length; i++) info.addChild(this, i);
            return info;
        }

        private AccessibilityNodeInfo day(int id) {
            AccessibilityNodeInfo info = AccessibilityNodeInfo.obtain(this, id);
            info.setParent(this);
            info.setClassName("harness.Day");
            info.setPackageName(getContext().getPackageName());
            info.setText(days[id]);
            info.setClickable(true);
            info.setEnabled(true);
            info.setVisibleToUser(true);
            info.addAction(AccessibilityNodeInfo.AccessibilityAction.ACTION_CLICK);
            int[] position = new int[2];
            getLocationOnScreen(position);
            info.setBoundsInScreen(new Rect(position[0] + id * 100, position[1], position[0] + id * 100 + 100, position[1] + getHeight()));
            return info;
        }
    }
}
