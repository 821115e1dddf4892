#if Logging
public import GodwitCore
import GodwitSupport
public import Logging

/// Logs each call to a logger of swift-log: one message with metadata, without secrets.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1") {
///     $0.middleware.append(LoggerMiddleware(Logger(label: "reader.api")))
/// }
/// ```
///
/// The metadata has OpenTelemetry's names: `http.request.method`, `url.full`, `http.response.status_code`, `error.type`
/// and, after retries, `http.request.resend_count`. `request_id` is the request's `X-Request-ID`, `call_id` the
/// number of the call in Godwit's own log, and `duration_ms` the time of the call.
///
/// In ``ClientConfiguration/middleware`` it logs each call once, in ``ClientConfiguration/attemptMiddleware`` each
/// request that is sent. The time of a streamed response ends with its head.
public struct LoggerMiddleware: ObservingMiddleware {
    private let logger: Logger
    private let level: Logger.Level
    private let failureLevel: Logger.Level
    private let timeline: Timeline

    /// Creates a middleware that sends a message to a logger for each call.
    ///
    /// - Parameters:
    ///   - logger: Receives one message for each call. Its own metadata and metadata provider apply.
    ///   - level: The level of a call that succeeds, and of one that is canceled.
    ///   - failureLevel: The level of a call that throws, or whose status is 400 or more and not accepted.
    ///   - clock: Measures how long a call takes.
    public init(
        _ logger: Logger, level: Logger.Level = .info, failureLevel: Logger.Level = .error,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.logger = logger
        self.level = level
        self.failureLevel = failureLevel
        timeline = Timeline(clock)
    }

    /// Passes the call on, and logs its outcome.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        let start = timeline.now
        do throws(NetworkError) {
            let response = try await next(call)
            log(CallRecord(call, response), after: timeline.now - start)
            return response
        } catch {
            log(CallRecord(call, error), after: timeline.now - start)
            throw error
        }
    }

    private func log(_ record: CallRecord, after duration: Duration) {
        let level = record.isFailure ? failureLevel : level
        guard logger.logLevel <= level else { return }
        let milliseconds = String(Int(duration / .milliseconds(1)))
        var metadata = record.metadata
        metadata["duration_ms"] = .string(milliseconds)
        logger.log(level: level, "\(record.text) (\(milliseconds) ms)", metadata: metadata)
    }
}

/// The outcome of a call as a log shows it.
private struct CallRecord {
    let text: String
    let isFailure: Bool
    private(set) var metadata: Logger.Metadata

    init(_ call: Call, _ response: HTTPResponse) {
        let status = response.head.status
        text = "\(status) \(response.request)"
        isFailure = status.code >= 400 && !call.request.options.acceptedStatuses.contains(status.code)
        metadata = Self.metadata(of: call, response.request, attempts: response.metrics.attempt)
        metadata["http.response.status_code"] = .stringConvertible(status.code)
        if isFailure { metadata["error.type"] = .stringConvertible(status.code) }
    }

    init(_ call: Call, _ error: NetworkError) {
        let request = error.request ?? call.request
        text = "failed: \(error.shortDescription): \(request)"
        if case .cancelled = error.kind { isFailure = false } else { isFailure = true }
        metadata = Self.metadata(of: call, request, attempts: error.attempt)
        metadata["error.type"] = .string(error.shortDescription)
        metadata["error.message"] = .string(request.redacted(error.description))
        if let status = error.response?.status {
            metadata["http.response.status_code"] = .stringConvertible(status.code)
        }
    }

    private static func metadata(of call: Call, _ request: HTTPRequest, attempts: Int) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "http.request.method": .string(request.method.rawValue),
            "url.full": .string(request.redacted(request.url.debugDescription)),
            "call_id": .stringConvertible(call.id),
        ]
        if let id = request.fields[.requestID] { metadata["request_id"] = .string(id) }
        if attempts > 1 { metadata["http.request.resend_count"] = .stringConvertible(attempts - 1) }
        return metadata
    }
}
#endif
