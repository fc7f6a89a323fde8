package clawperator.agent;

import java.util.HexFormat;

/** Bytes as hex digits. */
final class Hex {
    static byte[] decode(String text) {
        if (text == null || text.isEmpty()) throw new IllegalArgumentException("no hex digits");
        return HexFormat.of().parseHex(text);
    }

    private Hex() {}
}
