public import GodwitCore
public import Observation

/// Loads what belongs to a key that changes: the article that is selected in a list, the page of a day.
///
/// ```swift
/// let article = KeyedLoader { id in try await api.send(.article(id: id)) }
/// await article.load(42)                   // SwiftUI: .task(id: selection) { await article.load(selection) }
/// await article.load(43)                   // 42's value is gone, and its request ended if it was still under way
/// ```
///
/// For each key it behaves as a ``Loader``; a value is never shown under another key.
@Observable @MainActor
public final class KeyedLoader<Key: Hashable & Sendable, Value: Sendable> {
    /// What is shown; nil before the first ``load(_:)``.
    public private(set) var key: Key?

    private let loader: Loader<Value>
    @ObservationIgnored private let prepare: @MainActor (Loader<Value>, Key) -> Void

    /// Makes a loader; it does not begin by itself.
    ///
    /// - Parameters:
    ///   - monitor: Where given, what failed for want of a network is loaded again once the network is back.
    ///   - work: Loads the value of a key.
    public init(
        retryingWith monitor: (any PathMonitor)? = nil, _ work: @escaping @Sendable (Key) async throws -> Value
    ) {
        prepare = { loader, key in loader.load(by: { try await work(key) }) }
        loader = Loader(retryingWith: monitor) { throw CancellationError() }
    }

    /// Makes a loader of readings: what is stored of a key is shown at once, then what is fresh; see
    /// ``Loader/init(reading:retryingWith:)``.
    ///
    /// ```swift
    /// let article = KeyedLoader(reading: { id in api.reading(.article(id: id), from: models) })
    /// ```
    ///
    /// - Parameters:
    ///   - monitor: Where given, what failed for want of a network is loaded again once the network is back.
    ///   - readings: The reading of a key.
    public init(
        retryingWith monitor: (any PathMonitor)? = nil, reading readings: @escaping @Sendable (Key) -> Readings<Value>
    ) where Value: Codable {
        prepare = { loader, key in loader.load(by: readings(key)) }
        loader = Loader(retryingWith: monitor) { throw CancellationError() }
    }

    /// How the key's value stands.
    public var state: LoadingState<Value> { loader.state }

    /// What there is to show of the key.
    public var value: Value? { loader.value }

    /// How the value of a key stands: idle for one that is not the loader's ``key``, as before its first ``load(_:)``.
    ///
    /// - Parameter key: The key.
    public func state(of key: Key) -> LoadingState<Value> {
        key == self.key ? loader.state : .idle
    }

    /// Loads the value of a key, unless it is there. A key that is not the one before takes its place at once.
    ///
    /// ```swift
    /// await loader.load(42)                    // SwiftUI: .task(id: selection) { await loader.load(selection) }
    /// ```
    ///
    /// - Parameter key: What is shown from now on.
    public func load(_ key: Key) async {
        guard !Task.isCancelled else { return }
        if key != self.key {
            loader.reset()
            self.key = key
            prepare(loader, key)
        }
        await loader.load()
    }

    /// Whether ``value`` was stored and is older than it may be; see ``Loader/isStale``.
    public var isStale: Bool { loader.isStale }

    /// Loads the value of the key anew, past the HTTP cache; see ``Loader/refresh()``.
    public func refresh() async {
        guard key != nil else { return }
        await loader.refresh()
    }

    /// Loads again after a failure; does nothing otherwise.
    public func retry() async { await loader.retry() }

    /// Ends the loading under way.
    public func cancel() { loader.cancel() }
}
