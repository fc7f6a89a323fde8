package clawperator.agent;

import android.content.Context;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import com.android.internal.widget.LinearLayoutManager;
import com.android.internal.widget.RecyclerView;

/** A list that recycles its rows; apart, because older frameworks do not have the class. */
final class Recycler {
    static View make(Context context, int rows) {
        RecyclerView view = new RecyclerView(context);
        view.setLayoutManager(new LinearLayoutManager(context));
        view.setAdapter(new Rows(rows));
        return view;
    }

    private static final class Row extends RecyclerView.ViewHolder {
        Row(View view) {
            super(view);
        }
    }

    private static final class Rows extends RecyclerView.Adapter<Row> {
        private final int rows;

        Rows(int rows) {
            this.rows = rows;
        }

        @Override
        public Row onCreateViewHolder(ViewGroup group, int type) {
            TextView view = new TextView(group.getContext());
            view.setTextSize(20);
            return new Row(view);
        }

        @Override
        public void onBindViewHolder(Row row, int place) {
            ((TextView) row.itemView).setText("Rec " + place);
        }

        @Override
        public int getItemCount() {
            return rows;
        }
    }

    private Recycler() {}
}
