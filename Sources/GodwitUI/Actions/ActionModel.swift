public import GodwitCore
public import Observation

/// A user action that runs once at a time, such as sending a form or deleting an article.
///
/// ```swift
/// let publish = ActionModel { draft in try await api.send(.create(draft)) }
/// publish.start(draft)                     // SwiftUI: Button("Publish") { publish.start(draft) }
/// publish.isRunning                        // .disabled(publish.isRunning)
/// ```
///
/// Starting it while it runs has no effect. A new run discards the previous result. Cancellation isn't an error: the
/// ``state`` becomes idle.
///
/// When the account changes, for example on sign-out, the last result is discarded. A run in progress still counts: it
/// may be the sign-in.
@Observable @MainActor
public final class ActionModel<Input: Sendable, Output: Sendable> {
    private let loader: Loader<Output>
    @ObservationIgnored private let action: @Sendable (Input) async throws -> Output

    /// Creates a model of an action.
    ///
    /// - Parameter action: The action. ``state`` reports its result and errors.
    public init(_ action: @escaping @Sendable (Input) async throws -> Output) {
        self.action = action
        loader = Loader { throw CancellationError() }
        loader.query.loads.accountChanged = { [weak loader] in
            if let loader, !loader.query.isRunning { loader.reset() }
        }
    }

    /// The state of the last run: `.loading` while it runs, `.loaded` with its result.
    public var state: LoadingState<Output> { loader.state }

    /// Whether the action is running.
    public var isRunning: Bool { loader.isLoading }

    /// The error of the last run.
    public var error: NetworkError? { loader.error }

    /// Runs the action. If the calling task is canceled and no other caller waits, the run is canceled.
    ///
    /// Returns the result; `nil` if the action is already running, failed, or was canceled.
    @discardableResult
    public func run(_ input: Input) async -> Output? {
        guard !isRunning, !Task.isCancelled else { return nil }
        prepare(input)
        // The loader is what `cancel()` cancels.
        return await loader.query.value(for: loader)
    }

    /// Runs the action without waiting. The run continues if the screen disappears.
    ///
    /// - Parameter input: The input. Has no effect while the action is running.
    public func start(_ input: Input) {
        guard !isRunning else { return }
        prepare(input)
        loader.query.loads.begin(.next, isBackground: true)
    }

    /// Cancels the run. Effects on the server may have happened.
    public func cancel() { loader.cancel() }

    /// Cancels the run and discards the last result, for example to dismiss an error.
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
