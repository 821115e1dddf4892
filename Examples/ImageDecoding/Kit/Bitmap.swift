import CImageDecoding
public import GodwitCore
public import GodwitUI

/// Pixels in memory: 4 bytes each, red, green, blue and alpha.
public struct Bitmap: Sendable, Hashable {
    public let width: Int
    public let height: Int
    public let pixels: Data

    /// Decodes a JPEG or PNG image by libjpeg or libpng, scaled down while it is decoded.
    ///
    /// JPEG is scaled in steps of an eighth before its pixels exist, and the rest by averaging; PNG is averaged row by row. A
    /// rotation by EXIF is ignored.
    ///
    /// - Parameters:
    ///   - size: The box that the result fits in; `nil` means the original size.
    ///   - pixelLimit: Maximum pixels of the file.
    ///   - ending: What to do with a file that ends early.
    /// - Throws: `ImageTooLarge`, or a `BitmapFailure`.
    public init(
        _ data: Data, fitting size: PixelSize? = nil, pixelLimit: Int = ImageOptions().pixelLimit,
        ending: Ending = .refused
    ) throws {
        guard let header = ImageHeader(data), let decode = Self.decoder(header.format) else {
            throw BitmapFailure.unsupported
        }
        var request = image_request()
        request.max_width = size.map { UInt32(clamping: $0.width) } ?? 0
        request.max_height = size.map { UInt32(clamping: $0.height) } ?? 0
        request.pixel_limit = UInt64(max(pixelLimit, 0))
        request.allows_truncated = ending == .shown ? 1 : 0
        var result = image_result()
        let status = data.withUnsafeBytes { bytes in
            decode(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &request, &result)
        }
        defer { image_free(&result) }
        try Self.check(status, result, pixelLimit)
        (width, height) = (Int(result.width), Int(result.height))
        // Without a copy: the data frees what the decoder has allocated.
        pixels =
            result.pixels.map { [count = 4 * width * height] in
                Data(bytesNoCopy: $0, count: count, deallocator: .free)
            } ?? Data()
        result.pixels = nil
    }

    /// What happens to a file that ends early.
    public enum Ending: Sendable {
        /// It throws ``BitmapFailure/truncated``.
        case refused
        /// What is there is decoded, for a preview. Only JPEG.
        case shown
    }

    private typealias Decoder = (
        UnsafePointer<UInt8>?, Int, UnsafePointer<image_request>, UnsafeMutablePointer<image_result>
    ) -> image_status

    private static func decoder(_ format: ImageHeader.Format) -> Decoder? {
        switch format {
        case .jpeg: { image_decode_jpeg($0, $1, $2, $3) }
        case .png: { image_decode_png($0, $1, $2, $3) }
        case .gif, .webP, .heif, .avif: nil
        }
    }

    private static func check(_ status: image_status, _ result: image_result, _ limit: Int) throws {
        switch status {
        case image_ok: return
        case image_truncated: throw BitmapFailure.truncated
        case image_too_large:
            throw ImageTooLarge(width: Int(result.file_width), height: Int(result.file_height), limit: limit)
        case image_no_memory: throw BitmapFailure.noMemory
        case image_unsupported: throw BitmapFailure.unsupported
        default:
            throw BitmapFailure.corrupt(
                withUnsafeBytes(of: result.message) { message in
                    String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
    }
}

/// Why a file can't be decoded.
public enum BitmapFailure: Error, Hashable {
    /// It ends early.
    case truncated
    /// It isn't a valid image; the library's message.
    case corrupt(String)
    /// Another format, or built without libjpeg and libpng.
    case unsupported
    /// The memory for the pixels is missing.
    case noMemory
}

extension ImageLoader where Picture == Bitmap {
    /// Creates a loader of bitmaps, with previews of progressive JPEG.
    public convenience init(_ api: APIClient, options: ImageOptions = ImageOptions()) {
        let limit = options.pixelLimit
        self.init(
            api, options: options,
            decode: { data, size in
                let bitmap = try Bitmap(data, fitting: size, pixelLimit: limit)
                return DecodedImage(bitmap, byteCount: bitmap.pixels.count)
            },
            preview: { data, size in
                guard ImageHeader(data)?.format == .jpeg else { return nil }
                let bitmap = try Bitmap(data, fitting: size, pixelLimit: limit, ending: .shown)
                return DecodedImage(bitmap, byteCount: bitmap.pixels.count)
            })
    }
}
