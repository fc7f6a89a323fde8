package clawperator.agent;

/** The size of a display in pixels as rotated, its rotation and density. */
final class DisplayFacts {
    final int width;
    final int height;
    final int rotation;
    final int density;

    DisplayFacts(int width, int height, int rotation, int density) {
        this.width = width;
        this.height = height;
        this.rotation = rotation;
        this.density = density;
    }

    void write(BodyWriter body) {
        body.uint(width).uint(height).uint(rotation).uint(density);
    }
}
