package clawperator.agent;

import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import org.robolectric.Robolectric;
import org.robolectric.android.controller.ServiceController;
import org.robolectric.shadows.ShadowBinder;

/** The app form: the shipped service, bound by the stand-in for the system, and its provider. */
final class AppBench extends Bench {
    static final int SHELL = 2000;

    final ServiceController<RuntimeService> controllerOfService = Robolectric.buildService(RuntimeService.class).create();
    final RuntimeService service = controllerOfService.get();
    final StatusProvider provider = Robolectric.setupContentProvider(StatusProvider.class);

    AppBench() throws Exception {
        LocalSockets.peer = SHELL;
        system.install();
        system.bind(service.onBind(new Intent()));
        until(() -> RuntimeService.current() != null && service.server().line() != null);
        showApp();
    }

    /** What the provider tells a user. */
    String line(int user) {
        ShadowBinder.setCallingUid(user);
        try (Cursor cursor = provider.query(Uri.parse("content://app.clawperator.runtime.status"), null, null, null, null)) {
            if (!cursor.moveToFirst() || cursor.getCount() != 1 || cursor.getColumnIndex("line") != 0) {
                throw new IllegalStateException("the answer is one row with one column");
            }
            return cursor.getString(0);
        } finally {
            ShadowBinder.reset();
        }
    }

    private String word(int place) {
        String[] words = line(SHELL).split(" ");
        if (!words[1].equals("ready")) throw new IllegalStateException(line(SHELL));
        return words[place];
    }

    String socket() {
        return word(3);
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
        return Hex.decode(word(4));
    }

    @Override
    public void close() throws Exception {
        controllerOfService.destroy();
        super.close();
    }
}
