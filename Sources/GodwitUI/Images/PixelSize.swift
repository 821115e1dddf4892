/// The size of an image in pixels: points times the screen scale.
///
/// ```swift
/// PixelSize(points: 80, 80, scale: scale)
/// ```
public struct PixelSize: Sendable, Hashable {
    /// The width; at least 1.
    public let width: Int

    /// The height; at least 1.
    public let height: Int

    /// Creates a size. Numbers below 1 count as 1.
    public init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
    }

    /// Creates the size of a view on a screen, rounded up to whole pixels.
    ///
    /// In SwiftUI, `scale` is the environment's `displayScale`; in AppKit, it is the window's `backingScaleFactor`.
    ///
    /// - Parameters:
    ///   - width: The width in points.
    ///   - height: The height in points.
    ///   - scale: Pixels per point. Numbers that aren't positive and finite count as 1.
    public init(points width: Double, _ height: Double, scale: Double) {
        let scale = scale.isFinite && scale > 0 ? scale : 1
        self.init(width: Self.pixels(width * scale), height: Self.pixels(height * scale))
    }

    /// The size of an image scaled down to fit, with its aspect ratio. Images are never enlarged.
    public func fitting(width: Double, height: Double) -> (width: Double, height: Double) {
        guard width > 0, height > 0 else { return (0, 0) }
        let factor = min(1, Double(self.width) / width, Double(self.height) / height)
        return (max(1, (width * factor).rounded()), max(1, (height * factor).rounded()))
    }

    private static func pixels(_ count: Double) -> Int {
        guard count > 0 else { return 1 }
        return Int(exactly: count.rounded(.up)) ?? .max
    }
}
