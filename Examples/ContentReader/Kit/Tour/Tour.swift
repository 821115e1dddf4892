public import Godwit

/// The features of the library, shown step by step against the content API.
///
/// ```swift
/// let outcomes = await Tour.run(baseURL: server.url) { print($0) }
/// ```
nonisolated public enum Tour {
    /// The result of a step.
    public struct Outcome: Sendable {
        public let step: String
        /// The observation, in one line.
        public let detail: String
        public let duration: Duration
        public let isAsExpected: Bool
    }

    /// Runs all steps over this platform's transport, and reports each result. A failed step does not stop the following
    /// steps.
    ///
    /// - Parameter further: Steps that need more than the app's own code has, such as a mock server.
    @discardableResult
    public nonisolated(nonsending) static func run(
        baseURL: some HTTPURLConvertible, and further: [TourStep] = [], report: (Outcome) -> Void
    ) async -> [Outcome] {
        // Failures are shown immediately, without retries.
        let api = APIClient(baseURL: baseURL, preset: .content) { $0.retry.maximumAttempts = 1 }
        var outcomes: [Outcome] = []
        for step in steps + further {
            let outcome = await outcome(of: step, api)
            report(outcome)
            outcomes.append(outcome)
        }
        await api.shutdown(.cancelling)
        return outcomes
    }

    static let steps =
        readingSteps + writingSteps + failureSteps + manySteps + streamSteps + accountSteps + deliverySteps
        + resumingSteps + screenSteps + offlineSteps

    private static func outcome(of step: TourStep, _ api: APIClient) async -> Outcome {
        let start = ContinuousClock.now
        do {
            let detail = try await step.run(api)
            return Outcome(
                step: step.name, detail: detail, duration: ContinuousClock.now - start, isAsExpected: true)
        } catch {
            return Outcome(
                step: step.name, detail: "\(error)", duration: ContinuousClock.now - start, isAsExpected: false)
        }
    }
}
