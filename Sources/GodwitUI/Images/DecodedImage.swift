/// A picture that was made of received bytes, and what it takes in memory.
///
/// ```swift
/// ImageLoader(api) { data, size in
///     let bitmap = try Bitmap(data, atMost: size)
///     return DecodedImage(bitmap, byteCount: 4 * bitmap.width * bitmap.height)
/// }
/// ```
public struct DecodedImage<Picture: Sendable>: Sendable {
    /// The picture.
    public let picture: Picture

    /// What it takes in memory, in bytes. For a bitmap that is its size in pixels, times 4; not the size of the file.
    public let byteCount: Int

    /// Makes one.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - byteCount: What it takes in memory, in bytes.
    public init(_ picture: Picture, byteCount: Int) {
        self.picture = picture
        self.byteCount = byteCount
    }

    /// Makes one of a bitmap with 4 bytes a pixel. A size that no memory has, which a file can claim, counts as the most
    /// there is.
    package init(_ picture: Picture, width: Double, height: Double) {
        let bytes = 4 * width * height
        self.init(picture, byteCount: bytes > 0 ? Int(exactly: bytes.rounded()) ?? .max : 0)
    }
}

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

/// Bytes that the system's decoder cannot make a picture of.
struct UnreadablePicture: Error {}
