package clawperator.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs test classes, ends the run if a test hangs, and prints a summary line. */
public final class TestRunner {
    private static final long TEST_TIMEOUT_NANOS = 300_000_000_000L;
    private static volatile String current;
    private static volatile long began;

    public static void main(String[] names) throws Exception {
        List<Class<?>> classes = new ArrayList<>();
        for (String name : names) classes.add(Class.forName("clawperator.agent." + name, false, TestRunner.class.getClassLoader()));
        boolean serves = names.length == 1 && names[0].equals("Serve");
        JUnitCore core = new JUnitCore();
        core.addListener(new RunListener() {
            @Override
            public void testStarted(Description test) {
                began = System.nanoTime();
                current = test.getDisplayName();
            }

            @Override
            public void testFailure(Failure failure) {
                System.err.println("FAILED " + failure.getDescription() + "\n" + failure.getTrace());
            }

            @Override
            public void testFinished(Description test) {
                if (System.getenv("AGENT_TEST_VERBOSE") != null) {
                    System.err.println((System.nanoTime() - began) / 1000000 + " ms " + current);
                }
                current = null;
            }
        });
        if (!serves) watch();
        Request request = Request.classes(classes.toArray(new Class<?>[0]));
        String only = System.getenv("AGENT_TEST");
        if (only != null) {
            request = request.filterWith(new Filter() {
                @Override
                public boolean shouldRun(Description test) {
                    if (test.isTest()) return test.getMethodName().startsWith(only);
                    return test.getChildren().stream().anyMatch(this::shouldRun);
                }

                @Override
                public String describe() {
                    return only;
                }
            });
        }
        Result result = core.run(request);
        if (!serves) {
            int failed = result.getFailureCount();
            System.out.println((result.getRunCount() - failed) + " passed, " + failed + " failed");
        }
        // Threads of the framework are still running.
        Runtime.getRuntime().halt(result.wasSuccessful() && result.getRunCount() > 0 ? 0 : 1);
    }

    private static void watch() {
        Thread watcher = new Thread(() -> {
            while (true) {
                try {
                    Thread.sleep(500);
                } catch (InterruptedException e) {
                    return;
                }
                String name = current;
                if (name == null || System.nanoTime() - began < TEST_TIMEOUT_NANOS) continue;
                System.err.println("HANGS " + name);
                for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
                    System.err.println(entry.getKey());
                    for (StackTraceElement element : entry.getValue()) System.err.println("    " + element);
                }
                Runtime.getRuntime().halt(2);
            }
        });
        watcher.setDaemon(true);
        watcher.start();
    }

    private TestRunner() {}
}
