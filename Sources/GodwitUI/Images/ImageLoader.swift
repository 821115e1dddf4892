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
/// - **Memory**: decoded images, up to a number of bytes. The least recently used are evicted.
/// - **Disk**: the client's HTTP cache (`ClientConfiguration.cache`), by the rules of RFC 9111. Nothing is stored
///   twice.
/// - **Coalescing**: concurrent loads of an image share one task. Two sizes of an image share one download.
/// - **Cancellation**: when the last task waiting for an image is canceled, the request is canceled.
///
/// Requests go through the client, which sends its credentials only to its own origin. Images are separate for each
/// account and are removed from memory when the account changes.
public final class ImageLoader<Picture: Sendable>: Sendable {
    /// Decodes an image, at most as large as `size`. Called on any thread.
    public typealias Decode = @Sendable (_ data: Data, _ size: PixelSize?) throws -> DecodedImage<Picture>

    private struct Key: Hashable {
        let url: HTTPURL
        let size: PixelSize?
        /// The account that loaded the image.
        let account: AccountStamp
    }

    private struct Source: Hashable {
        let url: HTTPURL
        let account: AccountStamp
    }

    private let api: APIClient
    private let memoryLimit: Int
    private let decode: Decode
    private let memory: Mutex<LRUCache<Key, Picture>>
    /// Removes the images of an account when it changes.
    private let ending: AccountEnding
    private let downloads = SharedTasks<Source, Data, NetworkError>()
    private let pictures = SharedTasks<Key, Picture, NetworkError>()

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - api: The client. Give it a disk cache to keep images across launches.
    ///   - memoryLimit: Maximum bytes of decoded images in memory. 64 MiB by default; 0 keeps none.
    ///   - decode: Decodes an image. Errors become `.decoding`.
    public init(_ api: APIClient, memoryLimit: Int = 64 << 20, decode: @escaping Decode) {
        self.api = api
        self.memoryLimit = max(memoryLimit, 0)
        self.decode = decode
        memory = Mutex(LRUCache(limit: max(memoryLimit, 0)))
        ending = AccountEnding(api.accountSession)
        ending.action = { [weak self] in self?.removeAllFromMemory() }
    }

    /// The current account.
    var account: AccountStamp { api.accountSession.stamp }

    /// Loads an image.
    ///
    /// - Parameter size: The size for the decoder. Each size is cached separately.
    ///
    /// Throws the errors of a call, `.invalidURL` for an invalid URL, and `.decoding` if the bytes can't be decoded.
    public func image(
        at url: some HTTPURLConvertible, fitting size: PixelSize? = nil
    ) async throws(NetworkError) -> Picture {
        let key = Key(url: try Self.read(url), size: size, account: api.accountSession.stamp)
        if let picture = memory.withLock({ $0.value(for: key) }) { return picture }
        return try await pictures.value(for: key, orThrow: Self.cancelled) { () throws(NetworkError) in
            try await self.load(key)
        }
    }

    /// The image if it is in memory, to show it in the first frame.
    ///
    /// - Parameter url: The URL of the image; `nil` is returned if it is invalid.
    public func imageInMemory(at url: some HTTPURLConvertible, fitting size: PixelSize? = nil) -> Picture? {
        guard let url = try? url.httpURL() else { return nil }
        return memory.withLock { $0.value(for: Key(url: url, size: size, account: api.accountSession.stamp)) }
    }

    /// Removes all images from memory, for example on a memory warning. The client's cache stays.
    public func removeAllFromMemory() {
        memory.withLock { $0 = LRUCache(limit: memoryLimit) }
    }

    /// The number of tasks waiting for images.
    package var waitingCount: Int { pictures.waitingCount }

    private func load(_ key: Key) async throws(NetworkError) -> Picture {
        // Another load may have completed meanwhile.
        if let picture = memory.withLock({ $0.value(for: key) }) { return picture }
        let source = Source(url: key.url, account: key.account)
        let data = try await downloads.value(for: source, orThrow: Self.cancelled) { () throws(NetworkError) in
            try await self.download(source)
        }
        let decoded = try decoded(data, key)
        memory.withLock { memory in
            // After a change of account, the image would stay until it is evicted.
            guard api.accountSession.isCurrent(key.account) else { return }
            memory.insert(decoded.picture, byteCount: decoded.byteCount, for: key)
        }
        return decoded.picture
    }

    private func download(_ source: Source) async throws(NetworkError) -> Data {
        let configuration = api.configuration
        var request = HTTPRequest(url: source.url, options: configuration.options)
        request.options.account = source.account
        request.fields[.accept] = "image/*, */*;q=0.8"
        request.delivery = .buffered(limit: configuration.bufferLimit)
        return try await api.accepted(request).body.collect(upTo: configuration.bufferLimit)
    }

    private func decoded(_ data: Data, _ key: Key) throws(NetworkError) -> DecodedImage<Picture> {
        do {
            return try decode(data, key.size)
        } catch {
            let failure = NetworkError.DecodingFailure(path: "", reason: "the image can't be decoded: \(error)")
            throw NetworkError(
                .decoding(failure), phase: .decoding, request: HTTPRequest(url: key.url), underlying: error)
        }
    }

    private static var cancelled: NetworkError { NetworkError(.cancelled, phase: .middleware) }

    private static func read(_ url: some HTTPURLConvertible) throws(NetworkError) -> HTTPURL {
        do throws(InvalidURL) {
            return try url.httpURL()
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building, underlying: error)
        }
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
