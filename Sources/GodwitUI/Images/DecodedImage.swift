/// A decoded image and its size in memory.
///
/// ```swift
/// ImageLoader(api) { data, size in
///     let bitmap = try Bitmap(data, atMost: size)
///     return DecodedImage(bitmap, byteCount: 4 * bitmap.width * bitmap.height)
/// }
/// ```
public struct DecodedImage<Picture: Sendable>: Sendable {
    /// The image.
    public let picture: Picture

    /// The size in memory in bytes: for a bitmap, 4 times its pixels. Not the size of the file.
    public let byteCount: Int

    /// Creates a decoded image.
    public init(_ picture: Picture, byteCount: Int) {
        self.picture = picture
        self.byteCount = byteCount
    }

    /// Creates an image from a bitmap with 4 bytes per pixel. An impossible size, which a file may claim, counts as the
    /// maximum.
    package init(_ picture: Picture, width: Double, height: Double) {
        let bytes = 4 * width * height
        self.init(picture, byteCount: bytes > 0 ? Int(exactly: bytes.rounded()) ?? .max : 0)
    }
}

/// The size of an image in pixels: points times the screen scale.
///
/// ```swift
/// PixelSize(width: Int(80 * scale), height: Int(80 * scale))
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

    /// The size of an image scaled down to fit, with its aspect ratio. Images are never enlarged.
    public func fitting(width: Double, height: Double) -> (width: Double, height: Double) {
        guard width > 0, height > 0 else { return (0, 0) }
        let factor = min(1, Double(self.width) / width, Double(self.height) / height)
        return (max(1, (width * factor).rounded()), max(1, (height * factor).rounded()))
    }
}

/// The system can't decode the bytes.
struct UnreadablePicture: Error {}
