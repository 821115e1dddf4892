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
