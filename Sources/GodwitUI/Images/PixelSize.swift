/// How large a picture is wanted, in pixels: points times the screen's scale.
///
/// ```swift
/// PixelSize(width: Int(80 * scale), height: Int(80 * scale))
/// ```
public struct PixelSize: Sendable, Hashable {
    /// The width; at least 1.
    public let width: Int

    /// The height; at least 1.
    public let height: Int

    /// Makes a size. Numbers below 1 count as 1.
    ///
    /// - Parameters:
    ///   - width: In pixels.
    ///   - height: In pixels.
    public init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
    }

    /// The size that a picture gets in this one: its proportions kept, never larger than it is.
    ///
    /// - Parameters:
    ///   - width: The picture's own width, in pixels.
    ///   - height: The picture's own height, in pixels.
    public func fitting(width: Double, height: Double) -> (width: Double, height: Double) {
        guard width > 0, height > 0 else { return (0, 0) }
        let factor = min(1, Double(self.width) / width, Double(self.height) / height)
        return (max(1, (width * factor).rounded()), max(1, (height * factor).rounded()))
    }
}
