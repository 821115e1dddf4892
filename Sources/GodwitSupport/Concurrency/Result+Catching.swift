extension Result {
    /// The outcome of work that suspends: what `init(catching:)` is for work that doesn't.
    @inlinable
    public static func catching(
        isolation: isolated (any Actor)? = #isolation, _ work: () async throws(Failure) -> Success
    ) async -> Result {
        do throws(Failure) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }
}

extension Task where Failure == Never {
    /// The value or the error that the task returns. Canceling the task that waits cancels this one too.
    public func outcome<Value, Fault: Error>() async throws(Fault) -> Value where Success == Result<Value, Fault> {
        try await withTaskCancellationHandler {
            await value
        } onCancel: {
            cancel()
        }.get()
    }
}
