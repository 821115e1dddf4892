public import GodwitCore

/// The limits of an ``ImageLoader``.
///
/// ```swift
/// ImageOptions { $0.memoryLimit = 32 << 20 }
/// ```
public struct ImageOptions: Sendable, Nonisolated {
    /// Maximum bytes of decoded images in memory. 64 MiB by default; 0 keeps none.
    public var memoryLimit = 64 << 20

    /// Maximum images that are decoded at the same time. 2 by default; less than 1 counts as 1.
    ///
    /// Each decode runs on its own thread. Further ones wait: visible images before previews and prefetched ones.
    public var concurrentDecodes = 2

    /// Maximum images that load at the same time before prefetching pauses. 4 by default; less than 1 counts as 1.
    ///
    /// Visible images count, but never wait.
    public var concurrentPrefetches = 4

    /// Maximum pixels of an image file, width times height. 100 million by default.
    ///
    /// A file that claims more is refused before it is decoded, with ``ImageTooLarge``. This protects against small
    /// files that need gigabytes of memory.
    public var pixelLimit = 100_000_000

    /// Maximum previews of one progressive image. 4 by default; 0 disables them.
    public var previewLimit = 4

    /// Minimum time between two previews of an image. 300 ms by default.
    public var previewInterval = Duration.milliseconds(300)

    /// Creates options with default limits.
    public init() {}

    /// Creates limits that differ from the default.
    public init(_ configure: (inout ImageOptions) -> Void) {
        configure(&self)
    }
}

/// An image file claims more pixels than ``ImageOptions/pixelLimit``; the `underlying` error of a `.decoding` error.
public struct ImageTooLarge: Error, Hashable, CustomStringConvertible, Nonisolated {
    /// The width that the file claims, in pixels.
    public let width: Int

    /// The height that the file claims, in pixels.
    public let height: Int

    /// The maximum number of pixels, width times height.
    public let limit: Int

    /// Creates an error, in a decoder that reads sizes itself.
    public init(width: Int, height: Int, limit: Int) {
        self.width = width
        self.height = height
        self.limit = limit
    }

    /// The claimed size and the limit, in one line.
    public var description: String {
        "the file claims \(width) x \(height) pixels, over the limit of \(limit) (ImageOptions.pixelLimit)"
    }

    /// Throws if an image has too many pixels.
    ///
    /// - Throws: ``ImageTooLarge``.
    static func check(width: Int, height: Int, limit: Int) throws(ImageTooLarge) {
        let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
        guard !overflows, pixels <= limit else { throw ImageTooLarge(width: width, height: height, limit: limit) }
    }
}
