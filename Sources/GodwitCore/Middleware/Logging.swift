/// Logs each call and its outcome, without secrets.
///
/// ```text
/// --> #7 POST https://api.example.com/v1/articles?token=<redacted>
/// <-- #7 201 POST https://api.example.com/v1/articles?token=<redacted> (42 ms, 311 bytes)
/// ```
///
/// Values of sensitive fields, query items, form items and JSON members are replaced; see ``LogOptions``. A failed call
/// is one line with the reason.
public struct Logging: Middleware {
    private let options: LogOptions
    private let text: LogText

    /// Makes the middleware.
    ///
    /// - Parameter options: How much is logged, where to, and what is left out beside secrets.
    public init(_ options: LogOptions) {
        self.options = options
        text = LogText(options)
    }

    /// Logs the request, passes it on, and logs the response or the error.
    ///
    /// A streamed body is not read: its time ends with the head.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard options.level != .off else { return try await next(call) }
        let text = text.adding(call)
        options.destination("--> #\(call.id) " + text.message(call.request))
        let elapsed = options.clock.stopwatch()
        do throws(NetworkError) {
            let response = try await next(call)
            options.destination("<-- #\(call.id) " + text.message(response, after: elapsed()))
            return response
        } catch {
            options.destination("<-- #\(call.id) " + text.message(error, for: call.request, after: elapsed()))
            throw error
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Tells the time since now.
    func stopwatch() -> () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
