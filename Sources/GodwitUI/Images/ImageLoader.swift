public import GodwitCore
import Synchronization

/// Loads each image once: from memory, from the client's disk cache, or over the network.
///
/// ```swift
/// let images = ImageLoader(api) { data, size in
///     let bitmap = try Bitmap(data, atMost: size)          // your decoder, and the place to make it smaller
///     return DecodedImage(bitmap, byteCount: 4 * bitmap.width * bitmap.height)
/// }
/// let bitmap = try await images.image(at: article.pictureURL, fitting: PixelSize(width: 200, height: 200))
/// ```
///
/// - **Memory**: decoded images, up to a number of bytes. The least recently used are evicted. On Apple platforms, a
///   memory warning removes all of them.
/// - **Disk**: the client's HTTP cache (`ClientConfiguration.cache`), by the rules of RFC 9111. Nothing is stored
///   twice.
/// - **Coalescing**: concurrent loads of an image share one task. Two sizes of an image share one download.
/// - **Refreshing**: ``refreshVisible()``, and any load in `withCachePolicy(.reloadRevalidating)`, asks the server.
/// - **Cancellation**: when the last task waiting for an image is canceled, the request is canceled.
/// - **Decoding** runs on threads of its own, a few images at a time; visible images before prefetched ones. A file
///   that claims too many pixels is refused before it is decoded (``ImageOptions/pixelLimit``).
///
/// Requests go through the client, which sends its credentials only to its own origin. Images are separate for each
/// account and are removed from memory when the account changes.
public final class ImageLoader<Picture: Sendable>: Sendable {
    /// Decodes an image, at most as large as `size`. Called on any thread, but never on the main thread.
    public typealias Decode = @Sendable (_ data: Data, _ size: PixelSize?) throws -> DecodedImage<Picture>

    /// Decodes a preview from the beginning of a progressive image; `nil` if the bytes don't suffice.
    public typealias DecodePreview = @Sendable (_ beginning: Data, _ size: PixelSize?) throws -> DecodedImage<Picture>?

    struct Key: Hashable {
        let source: Source
        let size: PixelSize?
    }

    /// What is downloaded once.
    struct Source: Hashable {
        let url: HTTPURL
        /// The account that loads the image.
        let account: AccountStamp
    }

    /// What a task loads. One that reloads doesn't join another, whose image may be an older one.
    private struct Load<Subject: Hashable & Sendable>: Hashable {
        let subject: Subject
        let isReloading = CallScope.isReloading
    }

    package let api: APIClient
    let options: ImageOptions
    let decode: Decode
    let decodePreview: DecodePreview?
    let clock: any Clock<Duration>
    let decodes: DecodeQueue<Key>
    let prefetches: PrefetchQueue
    let beginnings = DownloadBeginnings<Source>()
    let models = ImageModels<Picture>()
    private let memory: Mutex<LRUCache<Key, DecodedImage<Picture>>>
    private let downloads = SharedTasks<Load<Source>, Data, NetworkError>()
    private let pictures = SharedTasks<Load<Key>, DecodedImage<Picture>, NetworkError>()
    /// Removes the images of an account when it changes.
    private let ending: AccountEnding
    private let warnings = MemoryWarnings()

    /// Creates a loader that decodes images with a closure.
    ///
    /// - Parameters:
    ///   - api: The client. Give it a disk cache to keep images across launches.
    ///   - memoryLimit: Maximum bytes of decoded images in memory. 64 MiB by default; 0 keeps none.
    ///   - decode: Decodes an image. Errors become `.decoding`.
    public convenience init(_ api: APIClient, memoryLimit: Int = 64 << 20, decode: @escaping Decode) {
        self.init(api, options: ImageOptions { $0.memoryLimit = memoryLimit }, decode: decode)
    }

    /// Creates a loader with limits, and with previews of progressive images.
    ///
    /// - Parameters:
    ///   - api: The client. Give it a disk cache to keep images across launches.
    ///   - options: The limits.
    ///   - decode: Decodes an image. Errors become `.decoding`.
    ///   - preview: Decodes the beginning of a progressive JPEG, interlaced PNG or GIF, for ``stages(of:fitting:)``.
    ///     `nil` (the default) means no previews. If it throws, the preview is left out.
    public convenience init(
        _ api: APIClient, options: ImageOptions, decode: @escaping Decode, preview: DecodePreview? = nil
    ) {
        self.init(api, options: options, clock: ContinuousClock(), decode: decode, preview: preview)
    }

    /// - Parameter clock: Measures the time between previews.
    package init(
        _ api: APIClient, options: ImageOptions, clock: any Clock<Duration>, decode: @escaping Decode,
        preview: DecodePreview? = nil
    ) {
        self.api = api
        self.options = options
        self.clock = clock
        self.decode = decode
        decodePreview = preview
        decodes = DecodeQueue(limit: options.concurrentDecodes)
        prefetches = PrefetchQueue(limit: options.concurrentPrefetches)
        memory = Mutex(LRUCache(limit: max(options.memoryLimit, 0)))
        ending = AccountEnding(api.accountSession)
        ending.action = { [weak self] in self?.removeAllFromMemory() }
        warnings.observe { [weak self] in self?.removeAllFromMemory() }
    }

    /// The current account.
    var account: AccountStamp { api.accountSession.stamp }

    /// Loads and decodes the image at a URL, from memory if it is there.
    ///
    /// - Parameters:
    ///   - url: The URL of the image.
    ///   - size: The size for the decoder. Each size is cached separately.
    ///
    /// Throws the errors of a call, `.invalidURL` for an invalid URL, and `.decoding` if the bytes can't be decoded; its
    /// `underlying` error is ``ImageTooLarge`` if the file claims too many pixels.
    public func image(
        at url: some HTTPURLConvertible, fitting size: PixelSize? = nil
    ) async throws(NetworkError) -> Picture {
        try await decodedImage(at: url, fitting: size).picture
    }

    /// Loads an image, with the file if it is an animation.
    ///
    /// - Parameters:
    ///   - url: The URL of the image.
    ///   - size: The size for the decoder. Each size is cached separately.
    /// - Throws: The errors of ``image(at:fitting:)``.
    public func decodedImage(
        at url: some HTTPURLConvertible, fitting size: PixelSize? = nil
    ) async throws(NetworkError) -> DecodedImage<Picture> {
        let key = Key(source: Source(url: try Self.read(url), account: account), size: size)
        if let image = usable(key) { return image }
        prefetches.visibleBegan()
        decodes.show(key)
        defer {
            decodes.hide(key)
            prefetches.visibleEnded()
        }
        return try await value(for: key, api.configuration.options.priority)
    }

    /// The image if it is in memory, to show it in the first frame.
    ///
    /// - Parameters:
    ///   - url: The URL of the image; `nil` is returned if it is invalid.
    ///   - size: The size that it was loaded with.
    public func imageInMemory(at url: some HTTPURLConvertible, fitting size: PixelSize? = nil) -> Picture? {
        decodedImageInMemory(at: url, fitting: size)?.picture
    }

    func decodedImageInMemory(at url: some HTTPURLConvertible, fitting size: PixelSize?) -> DecodedImage<Picture>? {
        guard let url = try? url.httpURL() else { return nil }
        return inMemory(Key(source: Source(url: url, account: account), size: size))
    }

    /// Removes all images from memory, for example on a memory warning. The client's cache stays.
    ///
    /// On Apple platforms, the system's memory warnings call it.
    public func removeAllFromMemory() {
        memory.withLock { $0 = LRUCache(limit: max(options.memoryLimit, 0)) }
    }

    /// Removes the least recently used images from memory until at most so many bytes remain.
    ///
    /// - Parameter byteCount: Bytes of decoded images.
    public func trimMemory(to byteCount: Int) {
        memory.withLock { $0.trim(to: byteCount) }
    }

    /// The bytes of decoded images in memory.
    public var memoryByteCount: Int { memory.withLock(\.byteCount) }

    /// The number of tasks waiting for images.
    package var waitingCount: Int { pictures.waitingCount }

    /// The number of decodes that wait for their turn.
    package var waitingDecodes: Int { decodes.waitingCount }
}

extension ImageLoader {
    func inMemory(_ key: Key) -> DecodedImage<Picture>? {
        memory.withLock { $0.value(for: key) }
    }

    /// The image if it is in memory, unless the task requests a newer one.
    func usable(_ key: Key) -> DecodedImage<Picture>? {
        CallScope.isReloading ? nil : inMemory(key)
    }

    /// Loads an image, or joins the task that loads it.
    ///
    /// - Parameter priority: The priority of the request, if none is in progress.
    func value(
        for key: Key, _ priority: RequestPriority
    ) async throws(NetworkError) -> DecodedImage<Picture> {
        try await pictures.value(for: Load(subject: key), orThrow: Self.cancelled) { () throws(NetworkError) in
            try await self.load(key, priority)
        }
    }

    private func load(_ key: Key, _ priority: RequestPriority) async throws(NetworkError) -> DecodedImage<Picture> {
        // Another load may have completed meanwhile.
        if let image = usable(key) { return image }
        let source = Load(subject: key.source)
        let data = try await downloads.value(for: source, orThrow: Self.cancelled) { () throws(NetworkError) in
            let data = try await self.download(key.source, priority)
            // All sizes in memory are those of an older image.
            if source.isReloading { self.memory.withLock { $0.removeAll { $0.source == key.source } } }
            return data
        }
        let image = try await decoded(data, key)
        memory.withLock { memory in
            // After a change of account, the image would stay until it is evicted.
            guard api.accountSession.isCurrent(key.source.account) else { return }
            memory.insert(image, byteCount: image.totalByteCount, for: key)
        }
        return image
    }

    private func decoded(_ data: Data, _ key: Key) async throws(NetworkError) -> DecodedImage<Picture> {
        do {
            let header = ImageHeader(data)
            if let header { try check(header) }
            var image = try await decodes.run(key) { [decode] in try decode(data, key.size) }
            if header?.isAnimated == true { image.animation = data }
            return image
        } catch is CancellationError {
            throw Self.cancelled
        } catch {
            let failure = NetworkError.DecodingFailure(path: "", reason: "the image can't be decoded: \(error)")
            throw NetworkError(
                .decoding(failure), phase: .decoding, request: HTTPRequest(url: key.source.url), underlying: error)
        }
    }

    func check(_ header: ImageHeader) throws(ImageTooLarge) {
        try ImageTooLarge.check(width: header.width, height: header.height, limit: options.pixelLimit)
    }

    static var cancelled: NetworkError { NetworkError(.cancelled, phase: .middleware) }

    static func read(_ url: some HTTPURLConvertible) throws(NetworkError) -> HTTPURL {
        try HTTPRequest(url: url).url
    }
}

extension ImageLoader where Picture == Data {
    /// Creates a loader of undecoded images.
    ///
    /// - Parameters:
    ///   - api: The client, which sends its credentials only to its own origin.
    ///   - memoryLimit: Maximum bytes in memory. 64 MiB by default; 0 keeps none.
    public convenience init(_ api: APIClient, memoryLimit: Int = 64 << 20) {
        self.init(api, memoryLimit: memoryLimit) { data, _ in DecodedImage(data, byteCount: data.count) }
    }
}
