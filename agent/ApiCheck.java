import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import org.codehaus.mojo.animal_sniffer.SignatureChecker;
import org.codehaus.mojo.animal_sniffer.logging.Logger;

/** Fails if compiled classes use java.* APIs that old phones lack: ApiCheck SIGNATURES CLASSES. */
public final class ApiCheck {
    public static void main(String[] arguments) throws Exception {
        Logger logger = new Logger() {
            @Override
            public void info(String text) {}

            @Override
            public void info(String text, Throwable cause) {}

            @Override
            public void debug(String text) {}

            @Override
            public void debug(String text, Throwable cause) {}

            @Override
            public void warn(String text) {
                System.err.println(text);
            }

            @Override
            public void warn(String text, Throwable cause) {
                System.err.println(text);
            }

            @Override
            public void error(String text) {
                System.err.println(text);
            }

            @Override
            public void error(String text, Throwable cause) {
                System.err.println(text);
            }
        };
        try (InputStream signatures = new FileInputStream(arguments[0])) {
            // The framework's own classes are checked by compiling against API 23.
            SignatureChecker checker = new SignatureChecker(signatures, Set.of("android.*", "clawperator.*"), logger);
            checker.setSourcePath(List.of(new File("src")));
            checker.process(new File(arguments[1]));
            if (checker.isSignatureBroken()) System.exit(1);
        }
    }

    private ApiCheck() {}
}
