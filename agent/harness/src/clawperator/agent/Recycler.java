package clawperator.agent;

import android.content.Context;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import com.android.internal.widget.LinearLayoutManager;
import com.android.internal.widget.RecyclerView;

/** A RecyclerView; a separate class, because older frameworks lack RecyclerView. */
final class Recycler {
    /** The rows. */
    interface Content {
        int count();

        View row(Context context);

        void fill(View row, int index);

        /** Called after scrolling. */
        default void onScrolled() {}
    }

    /** A list in an orientation of LinearLayout; `id` may be null. */
    static View make(Context context, String id, int orientation, Content content) {
        RecyclerView view = new RecyclerView(context) {
            @Override
            public void onInitializeAccessibilityNodeInfo(AccessibilityNodeInfo info) {
                super.onInitializeAccessibilityNodeInfo(info);
                if (id != null) info.setViewIdResourceName(id);
            }
        };
        view.setLayoutManager(new LinearLayoutManager(context, orientation, false));
        view.setAdapter(new Rows(content));
        view.addOnScrollListener(new RecyclerView.OnScrollListener() {
            @Override
            public void onScrolled(RecyclerView list, int x, int y) {
                // It is also called after a layout.
                if (x != 0 || y != 0) content.onScrolled();
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
        public void onBindViewHolder(Row row, int index) {
            content.fill(row.itemView, index);
        }

        @Override
        public int getItemCount() {
            return content.count();
        }
    }

    private Recycler() {}
}
