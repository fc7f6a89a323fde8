package clawperator.agent;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;

/** Random bytes, hashes of files, and hex digits. */
final class Bytes {
    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length * 2);
        for (byte b : bytes) text.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
        return text.toString();
    }

    /** The SHA-256 of a file; empty if it cannot be read. */
    static byte[] sha256(String path) {
        if (path == null || path.isEmpty()) return new byte[0];
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            InputStream stream = new FileInputStream(path);
            try {
                byte[] buffer = new byte[8192];
                int count;
                while ((count = stream.read(buffer)) > 0) digest.update(buffer, 0, count);
            } finally {
                stream.close();
            }
            return digest.digest();
        } catch (IOException e) {
            return new byte[0];
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private Bytes() {}
}
