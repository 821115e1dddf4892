#if canImport(ImageIO) && canImport(SwiftUI)
import CoreGraphics
public import GodwitCore
import ImageIO
public import SwiftUI

extension ImageLoader where Picture == Image {
    /// Creates a loader of SwiftUI images, decoded by ImageIO, rotated as EXIF says and scaled down to the requested size.
    ///
    /// Scaling down happens while decoding, so that a large photo never needs memory for all its pixels. Previews of
    /// progressive images are decoded too. Of an animation, it decodes the first frame.
    ///
    /// - Parameters:
    ///   - api: The client. Give it a disk cache to keep images across launches.
    ///   - options: The limits.
    public convenience init(_ api: APIClient, options: ImageOptions) {
        let limit = options.pixelLimit
        self.init(
            api, options: options,
            decode: { data, size in
                guard let source = CGImageSourceCreateWithData(data as CFData, SystemDecoder.notCached) else {
                    throw UnreadablePicture()
                }
                return try SystemDecoder(source, pixelLimit: limit).image(fitting: size)
            },
            preview: { data, size in
                let source = CGImageSourceCreateIncremental(SystemDecoder.notCached)
                CGImageSourceUpdateData(source, data as CFData, false)
                return try SystemDecoder(source, pixelLimit: limit).image(fitting: size)
            })
    }

    /// Creates a loader of SwiftUI images, decoded by ImageIO.
    ///
    /// - Parameter memoryLimit: Maximum bytes of decoded images in memory. 64 MiB by default.
    public convenience init(_ api: APIClient, memoryLimit: Int = 64 << 20) {
        self.init(api, options: ImageOptions { $0.memoryLimit = memoryLimit })
    }
}

/// Decodes the first image of a file.
private struct SystemDecoder {
    /// Otherwise, ImageIO keeps the file's pixels in full size.
    static var notCached: CFDictionary { [kCGImageSourceShouldCache: false] as CFDictionary }

    private let source: CGImageSource
    private let pixelLimit: Int

    init(_ source: CGImageSource, pixelLimit: Int) {
        self.source = source
        self.pixelLimit = pixelLimit
    }

    func image(fitting size: PixelSize?) throws -> DecodedImage<Image> {
        let whole = try orientedSize()
        let fitted = size?.fitting(width: Double(whole.width), height: Double(whole.height))
        let longest = fitted.map { Int(max($0.width, $0.height)) } ?? max(whole.width, whole.height)
        let options: [CFString: Any] = [
            kCGImageSourceThumbnailMaxPixelSize: longest,
            // A thumbnail inside of the file may be too small.
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            // Decodes here, and not on the main thread when the image is first drawn.
            kCGImageSourceShouldCacheImmediately: true,
        ]
        guard let picture = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary) else {
            throw UnreadablePicture()
        }
        let (bytes, overflows) = picture.bytesPerRow.multipliedReportingOverflow(by: picture.height)
        // A scale of 1, so that points are pixels on every platform: AppKit would take the resolution of the file.
        return DecodedImage(Image(decorative: picture, scale: 1), byteCount: overflows ? .max : bytes)
    }

    /// The size in pixels after the rotation, for formats whose header the loader doesn't read, such as HEIC.
    private func orientedSize() throws -> (width: Int, height: Int) {
        let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, Self.notCached) as? [CFString: Any]
        guard let width = properties?[kCGImagePropertyPixelWidth] as? Int, width > 0,
            let height = properties?[kCGImagePropertyPixelHeight] as? Int, height > 0
        else { throw UnreadablePicture() }
        try ImageTooLarge.check(width: width, height: height, limit: pixelLimit)
        let orientation = properties?[kCGImagePropertyOrientation] as? Int ?? 1
        return orientation > 4 ? (height, width) : (width, height)
    }
}
#endif
