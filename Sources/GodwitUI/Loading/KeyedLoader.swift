public import GodwitCore
public import Observation

/// Loads the value of a changing key: the article selected in a list, the page of a day.
///
/// ```swift
/// let article = KeyedLoader { id in try await api.send(.article(id: id)) }
/// await article.load(42)                   // SwiftUI: .task(id: selection) { await article.load(selection) }
/// await article.load(43)                   // 42's value is gone; its request is canceled if in progress
/// ```
///
/// Behaves like a ``Loader`` for each key. A value is never shown for another key.
@Observable @MainActor
public final class KeyedLoader<Key: Hashable & Sendable, Value: Sendable> {
    /// The current key; `nil` before the first ``load(_:)``.
    public private(set) var key: Key?

    let loader: Loader<Value>
    @ObservationIgnored private let prepare: @MainActor (Loader<Value>, Key) -> Void

    /// - Parameter prepare: Makes the loader load a key's value.
    init(_ monitor: (any PathMonitor)? = nil, prepare: @escaping @MainActor (Loader<Value>, Key) -> Void) {
        self.prepare = prepare
        loader = Loader(retryingWith: monitor) { throw CancellationError() }
    }

    /// Creates a loader. It doesn't load until asked.
    ///
    /// - Parameters:
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    ///   - work: Loads the value of a key.
    public convenience init(
        retryingWith monitor: (any PathMonitor)? = nil, _ work: @escaping @Sendable (Key) async throws -> Value
    ) {
        self.init(monitor) { loader, key in loader.load(by: { try await work(key) }) }
    }

    /// Creates a loader of readings: shows the stored value of a key immediately, then the fresh one; see
    /// ``Loader/init(reading:retryingWith:)``.
    ///
    /// ```swift
    /// let article = KeyedLoader(reading: { id in api.reading(.article(id: id), from: models) })
    /// ```
    ///
    /// - Parameters:
    ///   - monitor: If given, loads that failed for lack of a network are retried when the network returns.
    ///   - readings: The readings of a key.
    public convenience init(
        retryingWith monitor: (any PathMonitor)? = nil, reading readings: @escaping @Sendable (Key) -> Readings<Value>
    ) where Value: Codable {
        self.init(monitor) { loader, key in loader.load(by: readings(key)) }
    }

    /// The state of the current key's value.
    public var state: LoadingState<Value> { loader.state }

    /// The value to show for the current key.
    public var value: Value? { loader.value }

    /// The state of a key's value. Idle if the key isn't the current ``key``, as before its first ``load(_:)``.
    public func state(of key: Key) -> LoadingState<Value> {
        key == self.key ? loader.state : .idle
    }

    /// Loads the value of a key, unless it is loaded. A new key replaces the current one immediately.
    ///
    /// ```swift
    /// await loader.load(42)                    // SwiftUI: .task(id: selection) { await loader.load(selection) }
    /// ```
    public func load(_ key: Key) async {
        guard !Task.isCancelled else { return }
        if key != self.key {
            loader.reset()
            self.key = key
            prepare(loader, key)
        }
        await loader.load()
    }

    /// How often the value was removed because the account changed.
    package var resetCount: Int { loader.resetCount }

    /// Whether ``value`` is a stored value that is stale; see ``Loader/isStale``.
    public var isStale: Bool { loader.isStale }

    /// Loads the key's value again, bypassing the HTTP cache; see ``Loader/refresh()``.
    public func refresh() async {
        guard key != nil else { return }
        await loader.refresh()
    }

    /// Loads again after a failure. Otherwise does nothing.
    public func retry() async { await loader.retry() }

    /// Cancels the load in progress.
    public func cancel() { loader.cancel() }
}
