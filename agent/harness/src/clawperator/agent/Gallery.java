package clawperator.agent;

import android.app.Activity;
import android.content.Context;
import android.text.InputType;
import android.view.Gravity;
import android.view.View;
import android.view.ViewGroup;
import android.widget.ArrayAdapter;
import android.widget.AutoCompleteTextView;
import android.widget.BaseAdapter;
import android.widget.BaseExpandableListAdapter;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.DatePicker;
import android.widget.EditText;
import android.widget.ExpandableListView;
import android.widget.GridView;
import android.widget.HorizontalScrollView;
import android.widget.ImageButton;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.ListView;
import android.widget.NumberPicker;
import android.widget.ProgressBar;
import android.widget.RadioButton;
import android.widget.RadioGroup;
import android.widget.RatingBar;
import android.widget.Spinner;
import android.widget.Switch;
import android.widget.TableLayout;
import android.widget.TableRow;
import android.widget.TextView;
import android.widget.TimePicker;
import android.widget.ToggleButton;
import java.util.function.Consumer;

/** Screens as apps have them: forms, pickers, rows with controls, grids. */
final class Gallery {
    static final String[] NAMES = {"pickers", "form", "rows", "grid", "groups", "table"};
    private static final String[] FRUITS = {"Apple", "Banana", "Cherry", "Damson", "Elderberry", "Fig", "Grape"};

    private final Activity activity;
    private final LinearLayout column;
    private final Consumer<String> say;

    private Gallery(Activity activity, LinearLayout column, Consumer<String> say) {
        this.activity = activity;
        this.column = column;
        this.say = say;
    }

    /** Whether there is such a screen, and with it whether it scrolls by itself. */
    static boolean add(String screen, Activity activity, LinearLayout column, Consumer<String> say) {
        Gallery gallery = new Gallery(activity, column, say);
        switch (screen) {
            case "pickers": gallery.pickers(); return true;
            case "form": gallery.form(); return true;
            case "rows": gallery.rows(); return false;
            case "grid": gallery.grid(); return false;
            case "groups": gallery.groups(); return false;
            case "table": gallery.table(); return true;
            default: throw new IllegalArgumentException(screen);
        }
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
        sizes.setOnCheckedChangeListener((group, id) -> say.accept("size " + ((RadioButton) group.findViewById(id)).getText()));
        column.addView(sizes);
        ToggleButton toggle = new ToggleButton(activity);
        toggle.setTextOn("Alarm on");
        toggle.setTextOff("Alarm off");
        toggle.setChecked(false);
        column.addView(toggle);
        text(column, "Rating");
        RatingBar rating = new RatingBar(activity);
        rating.setNumStars(5);
        rating.setOnRatingBarChangeListener((bar, stars, user) -> say.accept("rating " + stars));
        column.addView(rating, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.WRAP_CONTENT, ViewGroup.LayoutParams.WRAP_CONTENT));
        text(column, "Guests");
        NumberPicker guests = new NumberPicker(activity);
        guests.setMinValue(1);
        guests.setMaxValue(12);
        guests.setOnValueChangedListener((picker, old, now) -> say.accept("guests " + now));
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
        country.setOnItemClickListener((parent, view, place, id) -> say.accept("country " + ((TextView) view).getText()));
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
        save.setOnClickListener(view -> say.accept("saved"));
        column.addView(save);
    }

    /** A row of settings: title, summary, switch; of a list: picture, name, time, menu. */
    private void rows() {
        ListView list = new ListView(activity);
        list.setId(android.R.id.list);
        list.setAdapter(new BaseAdapter() {
            private final boolean[] on = new boolean[30];

            @Override
            public int getCount() {
                return 30;
            }

            @Override
            public Object getItem(int place) {
                return place;
            }

            @Override
            public long getItemId(int place) {
                return place;
            }

            @Override
            public View getView(int place, View old, ViewGroup parent) {
                LinearLayout row = new LinearLayout(activity);
                row.setGravity(Gravity.CENTER_VERTICAL);
                row.setPadding(30, 30, 30, 30);
                ImageView picture = new ImageView(activity);
                picture.setImageResource(android.R.drawable.ic_menu_call);
                row.addView(picture);
                LinearLayout texts = new LinearLayout(activity);
                texts.setOrientation(LinearLayout.VERTICAL);
                text(texts, "Contact " + place);
                text(texts, place % 3 == 0 ? "online" : place + " min ago");
                row.addView(texts, new LinearLayout.LayoutParams(0, ViewGroup.LayoutParams.WRAP_CONTENT, 1));
                Switch mute = new Switch(activity);
                mute.setChecked(on[place]);
                mute.setOnCheckedChangeListener((view, now) -> {
                    on[place] = now;
                    say.accept("muted " + place + " " + now);
                });
                row.addView(mute);
                ImageButton more = new ImageButton(activity);
                more.setImageResource(android.R.drawable.ic_menu_more);
                if (place % 2 == 0) more.setContentDescription("More");
                more.setOnClickListener(view -> say.accept("more " + place));
                row.addView(more);
                row.setOnClickListener(view -> say.accept("contact " + place));
                return row;
            }
        });
        column.addView(list, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 1700));
    }

    private void grid() {
        GridView grid = new GridView(activity);
        grid.setNumColumns(3);
        grid.setAdapter(new ArrayAdapter<String>(activity, 0, FRUITS) {
            @Override
            public View getView(int place, View old, ViewGroup parent) {
                LinearLayout tile = new LinearLayout(activity);
                tile.setOrientation(LinearLayout.VERTICAL);
                ImageView picture = new ImageView(activity);
                picture.setImageResource(android.R.drawable.ic_menu_gallery);
                tile.addView(picture);
                text(tile, getItem(place));
                text(tile, "$" + (place + 1) + ".50");
                return tile;
            }
        });
        grid.setOnItemClickListener((parent, view, place, id) -> say.accept("fruit " + FRUITS[place]));
        column.addView(grid, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 900));
        HorizontalScrollView chips = new HorizontalScrollView(activity);
        LinearLayout line = new LinearLayout(activity);
        for (int i = 0; i < 20; i++) {
            Button chip = new Button(activity);
            chip.setText("Tag " + i);
            int place = i;
            chip.setOnClickListener(view -> say.accept("tag " + place));
            line.addView(chip);
        }
        chips.addView(line);
        column.addView(chips);
    }

    private void groups() {
        ExpandableListView list = new ExpandableListView(activity);
        list.setAdapter(new BaseExpandableListAdapter() {
            @Override
            public int getGroupCount() {
                return 4;
            }

            @Override
            public int getChildrenCount(int group) {
                return 3;
            }

            @Override
            public Object getGroup(int group) {
                return "Group " + group;
            }

            @Override
            public Object getChild(int group, int child) {
                return "Child " + group + "." + child;
            }

            @Override
            public long getGroupId(int group) {
                return group;
            }

            @Override
            public long getChildId(int group, int child) {
                return child;
            }

            @Override
            public boolean hasStableIds() {
                return true;
            }

            @Override
            public View getGroupView(int group, boolean open, View old, ViewGroup parent) {
                TextView view = new TextView(activity);
                view.setPadding(100, 20, 20, 20);
                view.setText((String) getGroup(group));
                return view;
            }

            @Override
            public View getChildView(int group, int child, boolean last, View old, ViewGroup parent) {
                TextView view = new TextView(activity);
                view.setPadding(150, 20, 20, 20);
                view.setText((String) getChild(group, child));
                return view;
            }

            @Override
            public boolean isChildSelectable(int group, int child) {
                return true;
            }
        });
        list.setOnChildClickListener((parent, view, group, child, id) -> {
            say.accept("child " + group + "." + child);
            return true;
        });
        column.addView(list, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 1500));
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
                remove.setOnClickListener(view -> say.accept("removed " + words[0]));
                row.addView(remove);
            }
            table.addView(row);
        }
        column.addView(table);
    }
}
