/// Work that starts once its input has stood still for a while; the latest input wins.
///
/// ```swift
/// let search = Debounced(for: .milliseconds(300)) { text in try await api.send(.search(text)) }
///
/// func textChanged(_ text: String) async throws {
///     guard let results = try await search(text) else { return }      // a later text took its place
///     show(results)
/// }
/// ```
///
/// Each call takes the place of the one before it: one that still waits ends, one whose work runs is cancelled, and
/// both return nil. So results never arrive out of order.
public final class Debounced<Input: Sendable, Output: Sendable>: Sendable {
    private let turns = Turns()
    private let quiet: Duration
    private let clock: any Clock<Duration>
    private let work: @Sendable (Input) async throws -> Output

    /// Makes the work.
    ///
    /// - Parameters:
    ///   - quiet: How long an input has to stand still.
    ///   - clock: What that is measured by.
    ///   - work: What is done with it.
    public init(
        for quiet: Duration, clock: any Clock<Duration> = ContinuousClock(),
        _ work: @escaping @Sendable (Input) async throws -> Output
    ) {
        (self.quiet, self.clock, self.work) = (quiet.bounded, clock, work)
    }

    /// Does the work with this input, unless a later call takes its place; then it returns nil.
    ///
    /// Throws what the work throws, and `CancellationError` when the calling task is cancelled while it waits.
    ///
    /// - Parameter input: What the work is done with.
    /// - Returns: The outcome; nil where a later call took this one's place.
    public func callAsFunction(_ input: Input) async throws -> Output? {
        try await turns.take { [quiet, clock, work] in
            try await clock.sleep(for: quiet)
            return try await work(input)
        }
    }

    /// Ends what waits or runs; its callers get nil.
    public func cancel() {
        turns.endCurrent()
    }
}
