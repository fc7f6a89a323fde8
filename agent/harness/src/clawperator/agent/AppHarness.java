package clawperator.agent;

import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import org.robolectric.Robolectric;
import org.robolectric.android.controller.ServiceController;
import org.robolectric.shadows.ShadowBinder;

/** The app form: the shipped service, bound by FakeSystem, and its provider. */
final class AppHarness extends Harness {
    static final int SHELL = 2000;
    private static final int SOCKET_FIELD = 3;
    private static final int TOKEN_FIELD = 4;

    final ServiceController<RuntimeService> serviceController = Robolectric.buildService(RuntimeService.class).create();
    final RuntimeService service = serviceController.get();
    final StatusProvider provider = Robolectric.setupContentProvider(StatusProvider.class);

    AppHarness() throws Exception {
        LocalSockets.peerUid = SHELL;
        system.install();
        system.bind(service.onBind(new Intent()));
        until(() -> RuntimeService.current() != null && service.server().line() != null);
        showApp();
    }

    /** The status line that an app with this uid reads. */
    String line(int uid) {
        ShadowBinder.setCallingUid(uid);
        try (Cursor cursor = provider.query(Uri.parse("content://app.clawperator.runtime.status"), null, null, null, null)) {
            if (!cursor.moveToFirst() || cursor.getCount() != 1 || cursor.getColumnIndex("line") != 0) {
                throw new IllegalStateException("the answer is one row with one column");
            }
            return cursor.getString(0);
        } finally {
            ShadowBinder.reset();
        }
    }

    private String field(int index) {
        String[] fields = line(SHELL).split(" ");
        if (!fields[1].equals("ready")) throw new IllegalStateException(line(SHELL));
        return fields[index];
    }

    String socket() {
        return field(SOCKET_FIELD);
    }

    @Override
    int port() {
        return LocalSockets.port(socket());
    }

    @Override
    boolean isServing() {
        return RuntimeService.current() != null;
    }

    @Override
    byte[] token() {
        return Hex.decode(field(TOKEN_FIELD));
    }

    @Override
    public void close() throws Exception {
        serviceController.destroy();
        super.close();
    }
}
