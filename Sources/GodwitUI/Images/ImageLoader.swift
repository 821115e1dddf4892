public import GodwitCore
import Synchronization

/// Loads pictures, each once: from memory, from the client's cache on disk, or over the network.
///
/// ```swift
/// let images = ImageLoader(api) { data, size in
///     let bitmap = try Bitmap(data, atMost: size)          // your decoder, and the place to make it smaller
///     return DecodedImage(bitmap, byteCount: 4 * bitmap.width * bitmap.height)
/// }
/// let bitmap = try await images.image(at: article.pictureURL, fitting: PixelSize(width: 200, height: 200))
/// ```
///
/// - **Memory**: decoded pictures, up to a number of bytes; what was not used for longest is forgotten first.
/// - **Disk**: the client's own HTTP cache (`ClientConfiguration.cache`), by the rules of RFC 9111. Nothing is kept
///   twice.
/// - **Coalescing**: who wants a picture that is on its way waits for that one. Two sizes of a picture are one transfer.
/// - **Cancelling** a task gives up its interest; when the last one that is interested goes, the request ends.
///
/// Requests go through the client: its credentials go to its own origin alone, wherever else pictures lie. A picture that
/// was loaded for one account is not found by the next, and is forgotten when the account changes.
public final class ImageLoader<Picture: Sendable>: Sendable {
    /// Makes a picture of received bytes, at most as large as the size where one is given. Runs on no particular thread.
    public typealias Decode = @Sendable (_ data: Data, _ size: PixelSize?) throws -> DecodedImage<Picture>

    private struct Key: Hashable {
        let url: HTTPURL
        let size: PixelSize?
        /// Whose picture it is.
        let account: AccountStamp
    }

    private struct Source: Hashable {
        let url: HTTPURL
        let account: AccountStamp
    }

    private let api: APIClient
    private let memoryLimit: Int
    private let decode: Decode
    private let memory: Mutex<RecentValues<Key, Picture>>
    /// Forgets the pictures of a former account.
    private let ending: AccountEnding
    private let downloads = SharedTasks<Source, Data, NetworkError>()
    private let pictures = SharedTasks<Key, Picture, NetworkError>()

    /// Makes a loader.
    ///
    /// - Parameters:
    ///   - api: What sends the requests. Give it a cache on disk to find pictures again after a restart.
    ///   - memoryLimit: The most bytes of decoded pictures that are kept. 64 MiB by default; 0 keeps none.
    ///   - decode: Makes a picture of received bytes. What it throws becomes `.decoding`.
    public init(_ api: APIClient, memoryLimit: Int = 64 << 20, decode: @escaping Decode) {
        self.api = api
        self.memoryLimit = max(memoryLimit, 0)
        self.decode = decode
        memory = Mutex(RecentValues(limit: max(memoryLimit, 0)))
        ending = AccountEnding(api.accountSession)
        ending.action = { [weak self] in self?.removeAllFromMemory() }
    }

    /// Whose pictures are found now.
    var account: AccountStamp { api.accountSession.stamp }

    /// Loads a picture.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - size: How large it is wanted; the decoder gets it. Each size is kept on its own.
    ///
    /// Throws what a call throws, `.invalidURL` for what is none, and `.decoding` for bytes that are no picture.
    public func image(
        at url: some HTTPURLConvertible, fitting size: PixelSize? = nil
    ) async throws(NetworkError) -> Picture {
        let key = Key(url: try Self.read(url), size: size, account: api.accountSession.stamp)
        if let picture = memory.withLock({ $0.value(for: key) }) { return picture }
        return try await pictures.value(for: key, orThrow: Self.cancelled) { () throws(NetworkError) in
            try await self.load(key)
        }
    }

    /// The picture, where it is in memory: to show it without waiting, before the first frame.
    ///
    /// - Parameters:
    ///   - url: Where the picture is; nil comes back for what is no URL.
    ///   - size: The size it was loaded in.
    public func imageInMemory(at url: some HTTPURLConvertible, fitting size: PixelSize? = nil) -> Picture? {
        guard let url = try? url.httpURL() else { return nil }
        return memory.withLock { $0.value(for: Key(url: url, size: size, account: api.accountSession.stamp)) }
    }

    /// Forgets what is in memory, as when the system asks for it. The client's cache stays.
    public func removeAllFromMemory() {
        memory.withLock { $0 = RecentValues(limit: memoryLimit) }
    }

    /// How many tasks wait for pictures.
    package var waitingCount: Int { pictures.waitingCount }

    private func load(_ key: Key) async throws(NetworkError) -> Picture {
        // It may have come since it was looked for.
        if let picture = memory.withLock({ $0.value(for: key) }) { return picture }
        let source = Source(url: key.url, account: key.account)
        let data = try await downloads.value(for: source, orThrow: Self.cancelled) { () throws(NetworkError) in
            try await self.download(source)
        }
        let decoded = try decoded(data, key)
        memory.withLock { memory in
            // What arrives after a change of account would stay until it is evicted.
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
            let failure = NetworkError.DecodingFailure(path: "", reason: "no picture: \(error)")
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
    /// Makes a loader of pictures as they are sent, for whoever decodes them elsewhere.
    ///
    /// - Parameters:
    ///   - api: What pictures are asked for through; its credentials go to its own origin alone.
    ///   - memoryLimit: The most bytes that are kept. 64 MiB by default; 0 keeps none.
    public convenience init(_ api: APIClient, memoryLimit: Int = 64 << 20) {
        self.init(api, memoryLimit: memoryLimit) { data, _ in DecodedImage(data, byteCount: data.count) }
    }
}
