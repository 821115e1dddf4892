import Synchronization

/// Collects problems of stores while calls continue without them, each problem once.
///
/// For example, a disk cache on a read-only file system doesn't fail calls: nothing is stored, and the store reports it
/// here. Stores report to ``shared`` by default.
///
/// ```swift
/// Task {
///     for await diagnostic in Diagnostics.shared.updates { logger.warning("\(diagnostic)") }
/// }
/// ```
///
/// Safe to use from any task. Stores report from their own queues, and only if something fails.
public final class Diagnostics: Sendable {
    /// The instance that stores report to by default.
    public static let shared = Diagnostics()

    /// Maximum diagnostics kept, in ``recent`` and for a slow observer.
    public static let limit = 256

    /// The identity of a report. The reason in words doesn't count.
    private struct Subject: Hashable {
        let store: StorageDiagnostic.Store
        let problem: StorageDiagnostic.Problem
        let path: String

        init(_ diagnostic: StorageDiagnostic) {
            store = diagnostic.store
            problem = diagnostic.problem
            path = diagnostic.path
        }
    }

    private struct State {
        var recent: [StorageDiagnostic] = []
        var known: Set<Subject> = []
        var observers: [Int: AsyncStream<StorageDiagnostic>.Continuation] = [:]
        var lastObserver = 0
    }

    private let state = Mutex(State())

    /// Creates an instance separate from ``shared``, for example for one account or a test.
    public init() {}

    /// The latest diagnostics, oldest first, at most ``limit``.
    public var recent: [StorageDiagnostic] { state.withLock(\.recent) }

    /// The diagnostics so far, then each new one. Every access starts a separate sequence.
    public var updates: AsyncStream<StorageDiagnostic> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StorageDiagnostic.self, bufferingPolicy: .bufferingNewest(Self.limit))
        let number = state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = continuation
            for diagnostic in state.recent { continuation.yield(diagnostic) }
            return state.lastObserver
        }
        continuation.onTermination = { [weak self] _ in self?.removeObserver(number) }
        return stream
    }

    /// Reports a problem, unless the same store has already reported it.
    ///
    /// - Parameter diagnostic: The problem. Its `detail` isn't compared.
    /// - Returns: Whether the problem is new.
    @discardableResult
    public func report(_ diagnostic: StorageDiagnostic) -> Bool {
        // Under the lock, so that every observer gets each diagnostic once and in order. `yield` only buffers.
        state.withLock { state in
            guard state.known.insert(Subject(diagnostic)).inserted else { return false }
            if state.recent.count == Self.limit { state.known.remove(Subject(state.recent.removeFirst())) }
            state.recent.append(diagnostic)
            for observer in state.observers.values { observer.yield(diagnostic) }
            return true
        }
    }

    private func removeObserver(_ number: Int) {
        _ = state.withLock { $0.observers.removeValue(forKey: number) }
    }
}

extension Diagnostics {
    /// Reports that a file couldn't be read or written.
    ///
    /// - Parameter error: An error of kind `.file`, whose reason has no secrets.
    package func report(_ store: StorageDiagnostic.Store, at file: URL, _ error: NetworkError) {
        guard case .file(let reason) = error.kind else { return }
        report(StorageDiagnostic(store, .init(reason: reason), path: file.path, detail: reason))
    }
}
