public import GodwitCore
import GodwitSupport
import Synchronization

/// A step of an image that loads.
public enum ImageStage<Picture: Sendable>: Sendable {
    /// The whole image, coarsely. Not kept in memory.
    case preview(Picture)
    /// The image. It is the last stage.
    case image(DecodedImage<Picture>)
}

/// The previews of a progressive image while it loads, and then the image.
///
/// ```swift
/// for try await stage in images.stages(of: article.pictureURL) {
///     switch stage {
///     case .preview(let picture): show(picture)
///     case .image(let image): show(image.picture)
///     }
/// }
/// ```
///
/// Each iteration loads the image. Leaving the loop stops waiting for it. Iterating throws the errors of
/// ``ImageLoader/image(at:fitting:)``.
public struct ImageStages<Picture: Sendable>: AsyncSequence, Sendable {
    public typealias Element = ImageStage<Picture>
    public typealias Failure = NetworkError

    typealias Results = AsyncStream<Result<Element, NetworkError>>

    fileprivate let start: @Sendable () -> Results

    /// Starts to load the image.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(results: start().makeAsyncIterator())
    }

    /// The stages of one load.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var results: Results.Iterator

        /// The next stage. A preview that was not read in time is skipped.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> ImageStage<Picture>? {
            guard let result = await results.next(isolation: actor) else {
                if Task.isCancelled { throw NetworkError(.cancelled, phase: .middleware) }
                return nil
            }
            return try result.get()
        }

        public mutating func next() async throws(NetworkError) -> ImageStage<Picture>? {
            try await next(isolation: nil)
        }
    }
}

extension ImageLoader {
    /// Loads an image in stages: if it is progressive and the loader decodes previews, these come first.
    ///
    /// At most ``ImageOptions/previewLimit`` previews, and one for each ``ImageOptions/previewInterval``. They never delay
    /// another image. If another task already downloads the image, previews may be missing.
    ///
    /// - Parameters:
    ///   - url: The URL of the image.
    ///   - size: The size for the decoder. Each size is cached separately.
    public func stages(of url: some HTTPURLConvertible, fitting size: PixelSize? = nil) -> ImageStages<Picture> {
        let url = Result { () throws(NetworkError) in try Self.read(url) }
        return ImageStages {
            let (results, continuation) = ImageStages<Picture>.Results.makeStream(bufferingPolicy: .bufferingNewest(1))
            let task = Task {
                let feed = StageFeed(continuation)
                do throws(NetworkError) {
                    try await self.load(try url.get(), size, into: feed)
                } catch {
                    feed.finish(.failure(error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
            return results
        }
    }

    private func load(_ url: HTTPURL, _ size: PixelSize?, into feed: StageFeed<Picture>) async throws(NetworkError) {
        let key = Key(source: Source(url: url, account: account), size: size)
        guard decodePreview != nil, options.previewLimit > 0, usable(key) == nil else {
            return feed.finish(.success(.image(try await decodedImage(at: url, fitting: size))))
        }
        beginnings.watch(key.source)
        defer { beginnings.unwatch(key.source) }
        let previews = Task { await self.previews(key, into: feed) }
        defer { previews.cancel() }
        feed.finish(.success(.image(try await decodedImage(at: url, fitting: size))))
    }

    private func previews(_ key: Key, into feed: StageFeed<Picture>) async {
        var count = 0
        while count < options.previewLimit, let data = await beginnings.next(of: key.source) {
            guard let header = ImageHeader(data) else {
                if data.count > Self.headerLimit { return }
                continue
            }
            guard header.isProgressive, (try? check(header)) != nil else { return }
            if let picture = await preview(data, key) {
                feed.show(picture)
                count += 1
            }
            guard (try? await clock.sleep(for: options.previewInterval.bounded)) != nil else { return }
        }
    }

    private func preview(_ data: Data, _ key: Key) async -> Picture? {
        guard let decodePreview else { return nil }
        return try? await decodes.run(key, .preview) { try decodePreview(data, key.size)?.picture }
    }

    /// Large metadata may precede the size, but not more than this many bytes.
    private static var headerLimit: Int { 1 << 20 }
}

/// Passes stages on until the last one: a late preview must not replace the image.
private final class StageFeed<Picture: Sendable>: Sendable {
    private let continuation: ImageStages<Picture>.Results.Continuation
    private let isFinished = Mutex(false)

    init(_ continuation: ImageStages<Picture>.Results.Continuation) {
        self.continuation = continuation
    }

    func show(_ picture: Picture) {
        isFinished.withLock { isFinished in
            if !isFinished { continuation.yield(.success(.preview(picture))) }
        }
    }

    func finish(_ result: Result<ImageStage<Picture>, NetworkError>) {
        isFinished.withLock { isFinished in
            isFinished = true
            continuation.yield(result)
            continuation.finish()
        }
    }
}
