package clawperator.agent;

import android.os.HandlerThread;
import android.os.Looper;
import android.system.ErrnoException;
import android.system.Os;
import android.system.OsConstants;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;

/** Starts the agent in app_process, as the shell user. */
public final class Main {
    private static final String FOLDER = "/data/local/tmp/clawperator";
    private static final String STATE = FOLDER + "/agent.state";
    private static final int DEFAULT_IDLE_SECONDS = 600;

    public static void main(String[] arguments) {
        int status = 1;
        try {
            run(arguments);
            status = 0;
        } catch (Failure e) {
            fail(e.code, e.getMessage());
        } catch (Throwable e) {
            fail(Protocol.CODE_FAILED, Failure.describe(e));
        }
        // Threads of the platform are still running.
        Runtime.getRuntime().exit(status);
    }

    private static void run(String[] arguments) throws Exception {
        long idleMs = parseIdleSeconds(arguments) * 1000L;
        Os.umask(077);
        makeFolder();
        byte[] hash = Bytes.sha256(System.getenv("CLASSPATH"));
        if (Looper.myLooper() == null) Looper.prepareMainLooper();
        HandlerThread events = new HandlerThread("events");
        events.start();
        AutomationDevice device = new AutomationDevice(events.getLooper());
        device.open();
        try {
            byte[] token = Bytes.random(32);
            String name = StartLine.newSocketName();
            Server server = new Server(new AbstractSocket(name), token, hash, idleMs, device);
            String line = StartLine.ready(name, token, hash);
            writeState(line + "\n");
            System.out.println(line);
            System.out.flush();
            closeStreams();
            try {
                server.run();
            } finally {
                removeState(line + "\n");
            }
        } finally {
            device.close();
        }
    }

    private static int parseIdleSeconds(String[] arguments) throws Failure {
        if (arguments.length == 0) return DEFAULT_IDLE_SECONDS;
        try {
            int seconds = arguments.length == 2 && arguments[0].equals("--idle") ? Integer.parseInt(arguments[1]) : 0;
            if (seconds > 0) return seconds;
        } catch (NumberFormatException ignored) {
            // Reported below.
        }
        throw Failure.malformed("usage: --idle SECONDS");
    }

    private static void fail(int code, String message) {
        System.out.println(StartLine.failed(code, message));
        System.out.flush();
    }

    /** Creates the folder, accessible only to the shell user. Fails if another file exists at its path. */
    private static void makeFolder() throws ErrnoException, IOException {
        try {
            Os.mkdir(FOLDER, 0700);
        } catch (ErrnoException e) {
            if (e.errno != OsConstants.EEXIST) throw e;
        }
        if (!OsConstants.S_ISDIR(Os.lstat(FOLDER).st_mode)) throw new IOException(FOLDER + " is not a folder");
        Os.chmod(FOLDER, 0700);
    }

    /** Writes the file atomically: a reader finds the whole line or none. */
    private static void writeState(String line) throws ErrnoException, IOException {
        String temporary = STATE + "." + android.os.Process.myPid();
        int flags = OsConstants.O_WRONLY | OsConstants.O_CREAT | OsConstants.O_TRUNC | OsConstants.O_NOFOLLOW;
        FileDescriptor file = Os.open(temporary, flags, 0600);
        try {
            try {
                byte[] bytes = line.getBytes(Utf8.CHARSET);
                int done = 0;
                while (done < bytes.length) done += Os.write(file, bytes, done, bytes.length - done);
            } finally {
                Os.close(file);
            }
            Os.rename(temporary, STATE);
        } catch (ErrnoException | IOException e) {
            // Deletes the incomplete file, for instance when the storage is full.
            new File(temporary).delete();
            throw e;
        }
    }

    /** Deletes the file unless a later agent has replaced it. */
    private static void removeState(String line) {
        try {
            byte[] bytes = new byte[line.length() + 1];
            FileInputStream stream = new FileInputStream(STATE);
            int size;
            try {
                size = stream.read(bytes);
            } finally {
                stream.close();
            }
            if (size == line.length() && new String(bytes, 0, size, Utf8.CHARSET).equals(line)) new File(STATE).delete();
        } catch (IOException ignored) {
            // It was already deleted.
        }
    }

    /** Redirects the standard streams to /dev/null: the process outlives the shell that started it. */
    private static void closeStreams() throws ErrnoException {
        FileDescriptor devNull = Os.open("/dev/null", OsConstants.O_RDWR, 0);
        for (int stream = 0; stream <= 2; stream++) Os.dup2(devNull, stream);
        Os.close(devNull);
    }

    private Main() {}
}
