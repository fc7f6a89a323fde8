package clawperator.agent;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;

/** UTF-8 encoding. */
final class Utf8 {
    static final Charset CHARSET = Charset.forName("UTF-8");

    /** Replaces lone surrogates with U+FFFD; the encoder of the platform uses a question mark. */
    static byte[] encode(String text) {
        return wellFormed(text).getBytes(CHARSET);
    }

    static String decode(byte[] bytes) throws Failure {
        try {
            return CHARSET.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw Failure.malformed("a text is not UTF-8");
        }
    }

    private static String wellFormed(String text) {
        StringBuilder repaired = null;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) continue;
            if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            if (repaired == null) repaired = new StringBuilder(text);
            repaired.setCharAt(i, '\ufffd');
        }
        return repaired == null ? text : repaired.toString();
    }

    private Utf8() {}
}
