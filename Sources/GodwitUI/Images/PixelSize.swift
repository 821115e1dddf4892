/// The size of an image in pixels: points times the screen scale.
///
/// ```swift
/// PixelSize(points: 80, 80, scale: scale)
/// ```
public struct PixelSize: Sendable, Hashable {
    /// How an image of another shape is scaled to the size.
    public enum ContentMode: Sendable, Hashable {
        /// The whole image is inside of the size.
        case fit
        /// The image covers the size, for a view that crops it (`scaledToFill`).
        case fill
    }

    /// The width; at least 1.
    public let width: Int

    /// The height; at least 1.
    public let height: Int

    /// How an image of another shape is scaled.
    public let contentMode: ContentMode

    /// Creates a size. Numbers below 1 count as 1.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - contentMode: How an image of another shape is scaled. It fits into the size by default.
    public init(width: Int, height: Int, contentMode: ContentMode = .fit) {
        self.width = max(width, 1)
        self.height = max(height, 1)
        self.contentMode = contentMode
    }

    /// Creates the size of a view on a screen, rounded up to whole pixels.
    ///
    /// In SwiftUI, `scale` is the environment's `displayScale`; in AppKit, it is the window's `backingScaleFactor`.
    ///
    /// - Parameters:
    ///   - width: The width in points.
    ///   - height: The height in points.
    ///   - scale: Pixels per point. Numbers that aren't positive and finite count as 1.
    ///   - contentMode: How an image of another shape is scaled. It fits into the size by default.
    public init(points width: Double, _ height: Double, scale: Double, contentMode: ContentMode = .fit) {
        let scale = scale.isFinite && scale > 0 ? scale : 1
        self.init(
            width: Self.pixels(width * scale), height: Self.pixels(height * scale), contentMode: contentMode)
    }

    /// The size of an image scaled down by the content mode, with its aspect ratio. Images are never enlarged.
    public func fitting(width: Double, height: Double) -> (width: Double, height: Double) {
        guard width > 0, height > 0 else { return (0, 0) }
        let factors = (Double(self.width) / width, Double(self.height) / height)
        let factor = min(1, contentMode == .fit ? min(factors.0, factors.1) : max(factors.0, factors.1))
        return (max(1, (width * factor).rounded()), max(1, (height * factor).rounded()))
    }

    private static func pixels(_ count: Double) -> Int {
        guard count > 0 else { return 1 }
        return Int(exactly: count.rounded(.up)) ?? .max
    }
}
