/// How large a picture is wanted, in pixels: points times the screen's scale.
public struct PixelSize: Sendable, Hashable {
    /// The width; at least 1.
    public let width: Int

    /// The height; at least 1.
    public let height: Int

    /// Makes a size. Numbers below 1 count as 1.
    public init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
    }
}
