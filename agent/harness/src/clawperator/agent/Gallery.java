package clawperator.agent;

import android.app.Activity;
import android.content.Context;
import android.graphics.Rect;
import android.os.Build;
import android.os.Bundle;
import android.text.InputType;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import android.widget.ArrayAdapter;
import android.widget.AutoCompleteTextView;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.DatePicker;
import android.widget.EditText;
import android.widget.HorizontalScrollView;
import android.widget.LinearLayout;
import android.widget.ListView;
import android.widget.NumberPicker;
import android.widget.ProgressBar;
import android.widget.RadioButton;
import android.widget.RadioGroup;
import android.widget.RatingBar;
import android.widget.Spinner;
import android.widget.TableLayout;
import android.widget.TableRow;
import android.widget.TextView;
import android.widget.TimePicker;
import android.widget.ToggleButton;
import java.util.Arrays;
import java.util.function.Consumer;

/** Typical screens of apps: pickers, a form, a table, nested and adjacent lists. */
final class Gallery {
    private static final String[] FRUITS = {"Apple", "Banana", "Cherry", "Damson", "Elderberry", "Fig", "Grape"};

    private final Activity activity;
    private final LinearLayout column;
    private final Consumer<String> status;

    private Gallery(Activity activity, LinearLayout column, Consumer<String> status) {
        this.activity = activity;
        this.column = column;
        this.status = status;
    }

    /** Adds the widgets of a screen. */
    static void add(String screen, Activity activity, LinearLayout column, Consumer<String> status) {
        Gallery gallery = new Gallery(activity, column, status);
        switch (screen) {
            case "pickers": gallery.pickers(); break;
            case "form": gallery.form(); break;
            case "table": gallery.table(); break;
            case "strip": gallery.strip(); break;
            case "nested": gallery.nested(); break;
            case "choices": gallery.choices(); break;
            case "card": gallery.card(); break;
            case "properties": gallery.properties(); break;
            default: throw new IllegalArgumentException(screen);
        }
    }

    /** A card that a long press takes, and that shows where it is dropped. */
    private void card() {
        TextView card = text(column, "Card");
        boolean[] taken = new boolean[1];
        card.setOnLongClickListener(view -> taken[0] = true);
        card.setOnTouchListener((view, event) -> {
            if (event.getActionMasked() == MotionEvent.ACTION_DOWN) taken[0] = false;
            if (event.getActionMasked() == MotionEvent.ACTION_UP) {
                status.accept(taken[0] ? "dropped at " + Math.round(event.getX()) + "," + Math.round(event.getY()) : "not taken");
            }
            return false;
        });
    }

    private TextView text(ViewGroup parent, String text) {
        TextView view = new TextView(activity);
        view.setText(text);
        parent.addView(view);
        return view;
    }

    private void pickers() {
        text(column, "Fruit");
        Spinner spinner = new Spinner(activity);
        ArrayAdapter<String> fruits = new ArrayAdapter<>(activity, android.R.layout.simple_spinner_item, FRUITS);
        fruits.setDropDownViewResource(android.R.layout.simple_spinner_dropdown_item);
        spinner.setAdapter(fruits);
        column.addView(spinner);
        text(column, "Size");
        RadioGroup sizes = new RadioGroup(activity);
        sizes.setOrientation(LinearLayout.HORIZONTAL);
        for (String size : new String[] {"S", "M", "L"}) {
            RadioButton button = new RadioButton(activity);
            button.setText(size);
            sizes.addView(button);
        }
        sizes.setOnCheckedChangeListener((group, id) -> status.accept("size " + ((RadioButton) group.findViewById(id)).getText()));
        column.addView(sizes);
        ToggleButton toggle = new ToggleButton(activity);
        toggle.setTextOn("Alarm on");
        toggle.setTextOff("Alarm off");
        toggle.setChecked(false);
        column.addView(toggle);
        text(column, "Rating");
        RatingBar rating = new RatingBar(activity);
        rating.setNumStars(5);
        rating.setOnRatingBarChangeListener((bar, stars, user) -> status.accept("rating " + stars));
        column.addView(rating, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.WRAP_CONTENT, ViewGroup.LayoutParams.WRAP_CONTENT));
        text(column, "Guests");
        NumberPicker guests = new NumberPicker(activity);
        guests.setMinValue(1);
        guests.setMaxValue(12);
        guests.setOnValueChangedListener((picker, old, now) -> status.accept("guests " + now));
        column.addView(guests);
        ProgressBar progress = new ProgressBar(activity, null, android.R.attr.progressBarStyleHorizontal);
        progress.setProgress(40);
        column.addView(progress);
        DatePicker date = new DatePicker(activity);
        date.updateDate(2026, 10, 27);
        column.addView(date);
        TimePicker time = new TimePicker(activity);
        column.addView(time);
    }

    private void form() {
        String[] labels = {"First name", "Last name", "Email", "Phone"};
        for (String label : labels) {
            text(column, label);
            EditText field = new EditText(activity);
            if (label.equals("Phone")) field.setInputType(InputType.TYPE_CLASS_PHONE);
            if (label.equals("Email")) field.setError("Enter a valid email");
            column.addView(field);
        }
        LinearLayout line = new LinearLayout(activity);
        TextView left = text(line, "City");
        left.setLayoutParams(new LinearLayout.LayoutParams(300, ViewGroup.LayoutParams.WRAP_CONTENT));
        line.addView(new EditText(activity), new LinearLayout.LayoutParams(0, ViewGroup.LayoutParams.WRAP_CONTENT, 1));
        column.addView(line);
        text(column, "Country");
        AutoCompleteTextView country = new AutoCompleteTextView(activity);
        country.setThreshold(1);
        country.setAdapter(new ArrayAdapter<>(activity, android.R.layout.simple_dropdown_item_1line, new String[] {"Norway", "Nepal", "Niger"}));
        country.setOnItemClickListener((parent, view, index, id) -> status.accept("country " + ((TextView) view).getText()));
        column.addView(country);
        EditText notes = new EditText(activity);
        notes.setHint("Notes");
        notes.setMinLines(3);
        column.addView(notes);
        CheckBox agree = new CheckBox(activity);
        column.addView(agree);
        text(column, "I agree to the terms");
        Button save = new Button(activity);
        save.setText("Save");
        save.setEnabled(false);
        agree.setOnCheckedChangeListener((box, on) -> save.setEnabled(on));
        save.setOnClickListener(view -> status.accept("saved"));
        column.addView(save);
    }

    private void table() {
        TableLayout table = new TableLayout(activity);
        String[][] cells = {{"Item", "Qty", "Price"}, {"Milk", "2", "$3"}, {"Bread", "1", "$4"}, {"Eggs", "12", "$5"}};
        for (String[] words : cells) {
            TableRow row = new TableRow(activity);
            for (String word : words) text(row, word).setPadding(20, 20, 60, 20);
            if (!words[0].equals("Item")) {
                Button remove = new Button(activity);
                remove.setText("Remove");
                remove.setOnClickListener(view -> status.accept("removed " + words[0]));
                row.addView(remove);
            }
            table.addView(row);
        }
        column.addView(table);
    }

    /** A row of buttons, of which only some fit on the screen. */
    private void strip() {
        LinearLayout row = new LinearLayout(activity);
        for (int i = 1; i <= 12; i++) {
            String name = "Item " + i;
            Button button = new Button(activity);
            button.setText(name);
            button.setAllCaps(false);
            button.setOnClickListener(view -> status.accept("chose " + name));
            row.addView(button, new LinearLayout.LayoutParams(250, 150));
        }
        HorizontalScrollView strip = new HorizontalScrollView(activity);
        strip.addView(row);
        column.addView(strip);
    }

    /** A list that prevents its scroll view from intercepting touches. */
    private void nested() {
        text(column, "Top");
        ListView list = list(android.R.layout.simple_list_item_1, new String[] {"Only row"});
        list.setOnTouchListener((view, event) -> {
            view.getParent().requestDisallowInterceptTouchEvent(true);
            return false;
        });
        column.addView(list, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 1400));
        for (int i = 1; i <= 30; i++) text(column, "Line " + i).setPadding(20, 30, 20, 30);
    }

    private void choices() {
        ListView drinks = list(android.R.layout.simple_list_item_single_choice, new String[] {"Tea", "Coffee", "Milk"});
        drinks.setChoiceMode(ListView.CHOICE_MODE_SINGLE);
        drinks.setItemChecked(1, true);
        column.addView(drinks, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 600));
        ListView extras = list(android.R.layout.simple_list_item_multiple_choice, new String[] {"Sugar", "Lemon"});
        extras.setChoiceMode(ListView.CHOICE_MODE_MULTIPLE);
        column.addView(extras, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 400));
    }

    /** Properties that few widgets have; each exists from its API level on. */
    private void properties() {
        EditText amount = new EditText(activity);
        amount.setText("-1");
        amount.setError("Enter a positive amount");
        column.addView(amount);
        TextView sync = text(column, "Sync");
        if (Build.VERSION.SDK_INT >= 30) sync.setStateDescription("paused");
        TextView basket = text(column, "Basket");
        if (Build.VERSION.SDK_INT >= 28) basket.setAccessibilityPaneTitle("Your basket");
        column.addView(new Composed(activity), new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 100));
    }

    /** A view that describes what it draws as a virtual node, like Compose: it sends its test tag only on request. */
    private static final class Composed extends View {
        private static final String TEST_TAG = "androidx.compose.ui.semantics.testTag";

        Composed(Context context) {
            super(context);
            setImportantForAccessibility(IMPORTANT_FOR_ACCESSIBILITY_YES);
        }

        @Override
        public AccessibilityNodeProvider getAccessibilityNodeProvider() {
            return new AccessibilityNodeProvider() {
                @Override
                public AccessibilityNodeInfo createAccessibilityNodeInfo(int id) {
                    return id == HOST_VIEW_ID ? host() : button(id);
                }

                @Override
                public void addExtraDataToAccessibilityNodeInfo(int id, AccessibilityNodeInfo info, String key, Bundle arguments) {
                    info.getExtras().putCharSequence(key, key.equals(TEST_TAG) ? "send" : "not requested");
                }
            };
        }

        private AccessibilityNodeInfo host() {
            AccessibilityNodeInfo info = AccessibilityNodeInfo.obtain(this);
            onInitializeAccessibilityNodeInfo(info);
            info.addChild(this, 0);
            return info;
        }

        private AccessibilityNodeInfo button(int id) {
            AccessibilityNodeInfo info = AccessibilityNodeInfo.obtain(this, id);
            info.setParent(this);
            info.setClassName("android.view.View");
            info.setPackageName(getContext().getPackageName());
            info.setText("Send");
            info.setVisibleToUser(true);
            Rect bounds = new Rect();
            getGlobalVisibleRect(bounds);
            info.setBoundsInScreen(bounds);
            info.getExtras().putCharSequence("harness.kind", "order");
            info.getExtras().putInt("harness.items", 3);
            info.getExtras().putBundle("harness.nested", new Bundle());
            if (Build.VERSION.SDK_INT >= 26) info.setAvailableExtraData(Arrays.asList("harness.location", TEST_TAG));
            if (Build.VERSION.SDK_INT >= 28) info.setTooltipText("Sends the order");
            if (Build.VERSION.SDK_INT >= 33) info.setUniqueId("order-17");
            return info;
        }
    }

    private ListView list(int row, String[] words) {
        ListView list = new ListView(activity);
        list.setAdapter(new ArrayAdapter<>(activity, row, words));
        return list;
    }
}
