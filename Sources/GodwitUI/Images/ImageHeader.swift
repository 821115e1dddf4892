public import GodwitCore

/// What the beginning of an image file says about the image.
///
/// ```swift
/// if let header = ImageHeader(data), header.isAnimated { show(header.width) }
/// ```
///
/// Reads PNG, JPEG, GIF, WebP, HEIC and AVIF without decoding. Nothing that the file claims is trusted to be true.
public struct ImageHeader: Sendable, Hashable, Nonisolated {
    /// A format of image files.
    public enum Format: String, Sendable, Hashable {
        /// PNG, JPEG, GIF or WebP: the format that the case is named after.
        case png, jpeg, gif, webP
        /// HEIC, and other images in HEIF.
        case heif
        /// AV1 images in HEIF.
        case avif
    }

    /// The format of the image file.
    public let format: Format

    /// The width in pixels, before a rotation by EXIF; at least 1.
    public let width: Int

    /// The height in pixels, before a rotation by EXIF; at least 1.
    public let height: Int

    /// Whether the image has several frames, or the file says that it is a sequence (HEIC, AVIF).
    public internal(set) var isAnimated = false

    /// Whether a part of the file shows the whole image coarsely: progressive JPEG, interlaced PNG and GIF.
    public internal(set) var isProgressive = false

    /// Reads the beginning of an image file.
    ///
    /// - Parameter data: The file, or its first bytes. If they end before the size, the result is `nil`. To find
    ///   animations, the whole file is needed.
    public init?(_ data: Data) {
        let header = data.withUnsafeBytes { Self.read(ImageBytes($0)) }
        guard let header else { return nil }
        self = header
    }

    init?(_ format: Format, width: Int, height: Int) {
        guard width > 0, height > 0 else { return nil }
        self.format = format
        self.width = width
        self.height = height
    }

    private static func read(_ bytes: ImageBytes) -> ImageHeader? {
        if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return png(bytes) }
        if bytes.has([0xFF, 0xD8, 0xFF], at: 0) { return jpeg(bytes) }
        if bytes.has("GIF87a".utf8, at: 0) || bytes.has("GIF89a".utf8, at: 0) { return gif(bytes) }
        if bytes.has("RIFF".utf8, at: 0), bytes.has("WEBP".utf8, at: 8) { return webP(bytes) }
        if isHEIF(bytes) { return heif(bytes) }
        return nil
    }
}

/// Bytes that are read at offsets; `nil` beyond the end.
struct ImageBytes {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    subscript(offset: Int) -> Int? {
        offset >= 0 && offset < bytes.count ? Int(bytes[offset]) : nil
    }

    func has(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
        guard offset >= 0, offset <= bytes.count, expected.count <= bytes.count - offset else { return false }
        return bytes[offset..<offset + expected.count].elementsEqual(expected)
    }

    /// A number of up to 4 bytes, the most significant first.
    func bigEndian(_ size: Int, at offset: Int) -> Int? {
        number((0..<size).map { offset + $0 })
    }

    /// A number of up to 4 bytes, the least significant first.
    func littleEndian(_ size: Int, at offset: Int) -> Int? {
        number((0..<size).reversed().map { offset + $0 })
    }

    private func number(_ offsets: [Int]) -> Int? {
        var value = 0
        for offset in offsets {
            guard let byte = self[offset] else { return nil }
            value = value << 8 | byte
        }
        return value
    }
}
