package clawperator.agent;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.Binder;

/**
 * Returns the connection parameters to the shell user: one row with one column, `line`, for `content query`. The manifest requires
 * DUMP, but adb can grant that to any app, so the user id of the caller is checked as well.
 */
public final class StatusProvider extends ContentProvider {
    @Override
    public boolean onCreate() {
        return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String selection, String[] arguments, String order) {
        if (!AbstractSocket.isAllowedUid(Binder.getCallingUid())) {
            throw new SecurityException("only adb's shell user and root may query the connection");
        }
        MatrixCursor cursor = new MatrixCursor(new String[] {"line"}, 1);
        cursor.addRow(new Object[] {line()});
        return cursor;
    }

    private String line() {
        RuntimeService service = RuntimeService.current();
        AppServer server = service == null ? null : service.server();
        if (server == null) return StartLine.failed(Protocol.CODE_SERVICE_OFF, Status.offReason(getContext()));
        String line = server.line();
        if (line != null) return line;
        String problem = server.problem();
        return StartLine.failed(Protocol.CODE_FAILED, problem == null ? "the app is starting" : problem);
    }

    @Override
    public String getType(Uri uri) {
        return null;
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int delete(Uri uri, String selection, String[] arguments) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int update(Uri uri, ContentValues values, String selection, String[] arguments) {
        throw new UnsupportedOperationException();
    }
}
