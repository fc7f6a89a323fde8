package clawperator.agent;

import android.content.Context;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import com.android.internal.widget.LinearLayoutManager;
import com.android.internal.widget.RecyclerView;

/** A list that recycles its rows; apart, because older frameworks do not have the class. */
final class Recycler {
    /** What is in it. */
    interface Content {
        int count();

        View row(Context context);

        void fill(View row, int place);

        /** Its rows moved. */
        default void moved() {}
    }

    /** A list, perhaps with an id. */
    static View make(Context context, String id, Content content) {
        RecyclerView view = new RecyclerView(context) {
            @Override
            public void onInitializeAccessibilityNodeInfo(AccessibilityNodeInfo info) {
                super.onInitializeAccessibilityNodeInfo(info);
                if (id != null) info.setViewIdResourceName(id);
            }
        };
        view.setLayoutManager(new LinearLayoutManager(context));
        view.setAdapter(new Rows(content));
        view.addOnScrollListener(new RecyclerView.OnScrollListener() {
            @Override
            public void onScrolled(RecyclerView list, int x, int y) {
                // It also tells of a layout.
                if (x != 0 || y != 0) content.moved();
            }
        });
        return view;
    }

    private static final class Row extends RecyclerView.ViewHolder {
        Row(View view) {
            super(view);
        }
    }

    private static final class Rows extends RecyclerView.Adapter<Row> {
        private final Content content;

        Rows(Content content) {
            this.content = content;
        }

        @Override
        public Row onCreateViewHolder(ViewGroup group, int type) {
            return new Row(content.row(group.getContext()));
        }

        @Override
        public void onBindViewHolder(Row row, int place) {
            content.fill(row.itemView, place);
        }

        @Override
        public int getItemCount() {
            return content.count();
        }
    }

    private Recycler() {}
}
