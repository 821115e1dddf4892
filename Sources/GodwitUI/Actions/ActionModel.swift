public import GodwitCore
public import Observation

/// Something that a person sets off: sending a form, deleting an article. It runs once, however often they tap.
///
/// ```swift
/// let publish = ActionModel { draft in try await api.send(.create(draft)) }
/// publish.start(draft)                     // SwiftUI: Button("Publish") { publish.start(draft) }
/// publish.isRunning                        // .disabled(publish.isRunning)
/// ```
///
/// When the account changes, as at a sign-out, what the last run came to is forgotten. A run that is under way then counts
/// all the same: it may be what signs in.
///
/// What is started while it runs is not done. A run forgets what the one before came to. Cancelling is no error:
/// ``state`` is idle then.
@Observable @MainActor
public final class ActionModel<Input: Sendable, Output: Sendable> {
    private let loader: Loader<Output>
    @ObservationIgnored private let action: @Sendable (Input) async throws -> Output

    /// Makes a model of an action.
    ///
    /// - Parameter action: What the button does; a ``run(_:)`` and its errors are told by ``state``.
    public init(_ action: @escaping @Sendable (Input) async throws -> Output) {
        self.action = action
        loader = Loader { throw CancellationError() }
        loader.accountChanged = { [weak loader] in
            if let loader, !loader.isRunning { loader.reset() }
        }
    }

    /// How the last run stands: `.loading` while it runs, `.loaded` with what it came to.
    public var state: LoadingState<Output> { loader.state }

    /// Whether it runs.
    public var isRunning: Bool { loader.isLoading }

    /// Why the last run failed.
    public var error: NetworkError? { loader.error }

    /// Runs the action, and ends it where the calling task is cancelled and nobody else waits.
    ///
    /// Returns what it came to; nil where it runs already, failed, or was cancelled.
    @discardableResult
    public func run(_ input: Input) async -> Output? {
        guard !isRunning, !Task.isCancelled else { return nil }
        prepare(input)
        await loader.loadAnew()
        return state.isLoaded ? state.value : nil
    }

    /// Runs the action without waiting, also when the screen goes meanwhile.
    ///
    /// - Parameter input: What it is done with. Nothing happens while it runs.
    public func start(_ input: Input) {
        guard !isRunning else { return }
        prepare(input)
        loader.begin(.show)
    }

    /// Gives the run up. What the server has done by then, it has done.
    public func cancel() { loader.cancel() }

    /// Gives the run up, and forgets what the last one came to, as when an error has been read.
    public func reset() { loader.reset() }

    private func prepare(_ input: Input) {
        loader.reset()
        loader.load(by: { [action] in try await action(input) })
    }
}

extension ActionModel where Input == Void {
    /// Runs the action; see ``run(_:)``.
    @discardableResult
    public func run() async -> Output? { await run(()) }

    /// Runs the action without waiting; see ``start(_:)``.
    public func start() { start(()) }
}
