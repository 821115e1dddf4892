public import GodwitCore

/// A decoded image and its size in memory.
///
/// ```swift
/// ImageLoader(api) { data, size in
///     let bitmap = try Bitmap(data, atMost: size)
///     return DecodedImage(bitmap, byteCount: 4 * bitmap.width * bitmap.height)
/// }
/// ```
public struct DecodedImage<Picture: Sendable>: Sendable {
    /// The image; of an animation, its first frame.
    public let picture: Picture

    /// The size in memory in bytes: for a bitmap, 4 times its pixels. Not the size of the file.
    public let byteCount: Int

    /// The file of an animated GIF, PNG or WebP image, unchanged; `nil` for a still. The loader sets it.
    public internal(set) var animation: Data?

    /// Creates a decoded image from a picture and its size in memory.
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

    /// The size in memory in bytes, with the animation.
    var totalByteCount: Int {
        let (sum, overflows) = max(byteCount, 0).addingReportingOverflow(animation?.count ?? 0)
        return overflows ? .max : sum
    }
}

/// The system can't decode the bytes.
struct UnreadablePicture: Error {}
