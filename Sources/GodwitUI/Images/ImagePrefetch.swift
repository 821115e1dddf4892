public import GodwitCore

/// Images that load ahead of time, until they are loaded, stopped, or this handle is released.
///
/// ```swift
/// let prefetch = images.prefetch(urls, fitting: PixelSize(width: 200, height: 200))
/// prefetch.stop()                          // for example when the list scrolls on
/// ```
public final class ImagePrefetch: Sendable {
    private let queue: PrefetchQueue
    private let id: UInt64

    init(_ queue: PrefetchQueue, _ work: [PrefetchQueue.Work]) {
        self.queue = queue
        id = queue.add(work)
    }

    deinit {
        queue.stop(id)
    }

    /// Drops what hasn't started. Cancels requests that no other task waits for.
    public func stop() {
        queue.stop(id)
    }

    /// Returns when all images are loaded or failed, when the prefetch is stopped, or when the task is canceled.
    public func wait() async {
        await queue.wait(for: id)
    }
}

extension ImageLoader {
    /// Loads images before they are needed, in order, a few at a time, and keeps them in memory.
    ///
    /// Visible images come first: they start immediately, prefetching pauses meanwhile
    /// (``ImageOptions/concurrentPrefetches``), and a prefetched image that becomes visible is decoded before the others.
    /// Errors are ignored: the view that shows the image tries again. Invalid URLs are skipped.
    ///
    /// - Parameters:
    ///   - urls: The URLs of the images.
    ///   - size: The size of the views that will show the images. Another size is decoded again.
    /// - Returns: The prefetch. Releasing it stops it.
    public func prefetch(_ urls: [some HTTPURLConvertible], fitting size: PixelSize? = nil) -> ImagePrefetch {
        let account = account
        let keys = urls.compactMap { try? $0.httpURL() }
            .map { Key(source: Source(url: $0, account: account), size: size) }
        return ImagePrefetch(prefetches, keys.map { key in { [weak self] in await self?.prefetch(key) } })
    }

    private func prefetch(_ key: Key) async {
        guard inMemory(key) == nil, api.accountSession.isCurrent(key.source.account) else { return }
        _ = try? await value(for: key, .low)
    }
}
