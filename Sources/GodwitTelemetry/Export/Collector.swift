import GodwitCore

/// Sends encoded exports to a collector, one attempt at a time.
struct Collector: Sendable {
    enum Signal: String, Sendable {
        case traces, metrics
    }

    enum Outcome: Sendable, Equatable {
        /// The collector has the export, except for records that it refused.
        case accepted(rejected: Int, message: String)
        /// The collector will never accept it.
        case refused(String)
        /// The collector may accept it later, not before the time it asks for.
        case unavailable(String, retryAfter: Duration?)
    }

    private let client: APIClient
    private let type: MediaType
    private let headers: HTTPFields
    private let diagnostics: Diagnostics
    private let place: String

    init(_ client: APIClient, at url: HTTPURL, _ options: TelemetryOptions) {
        self.client = client
        diagnostics = options.diagnostics
        place = url.origin.description
        headers = options.headers
        type = options.encoding == .json ? JSONWriter.mediaType : ProtobufWriter.mediaType
    }

    /// The client for a collector. It isn't observed itself: it has no telemetry and no inspector.
    static func configuration(_ options: TelemetryOptions) -> ClientConfiguration {
        var configuration = ClientConfiguration.ephemeral
        configuration.userAgent = "Godwit-OTLP/\(Resource.version)"
        configuration.requestIDs = .off
        configuration.retry.maximumAttempts = 1
        // The headers may be secrets for the collector alone.
        configuration.redirects = .block
        configuration.compression = options.compression
        configuration.timeouts.total = options.exportTimeout
        configuration.timeouts.connect = options.exportTimeout
        configuration.bufferLimit = 1 << 20
        configuration.plaintextHosts = options.plaintextHosts
        configuration.allowsInspectorFromEnvironment = false
        return configuration
    }

    func send(_ body: Data, _ signal: Signal) async -> Outcome {
        var endpoint = Endpoint<Data>.post("v1/\(signal.rawValue)", body: .data(body, type: type))
        endpoint.fields = headers
        endpoint = endpoint.options { $0[ExportMark.self] = true }
        do throws(NetworkError) {
            let response = try await client.response(for: endpoint)
            let type = response.head.fields[.contentType].flatMap { MediaType($0) }
            let answer = ExportResponse(response.value, type)
            return .accepted(rejected: max(0, answer.rejected), message: Self.shown(answer.message))
        } catch {
            return Self.outcome(of: error)
        }
    }

    /// The beginning of a text from the network, fit for a log.
    private static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(200).map { $0.value < 0x20 ? " " : $0 }))
    }

    /// Reports that exports fail; the first time only.
    func report(_ failure: String) {
        diagnostics.report(StorageDiagnostic(.telemetry, .unavailable, path: place, detail: failure))
    }

    /// Whether a call is an export, which no telemetry observes: it would be the reason for the next one.
    static func isExport(_ call: Call) -> Bool { call.request.options[ExportMark.self] }

    /// 429, 502, 503 and 504 may pass, and so may a failure without a response; no other status does (OTLP, Failures).
    private static func outcome(of error: NetworkError) -> Outcome {
        let reason = error.shortDescription
        guard let status = error.response?.status.code else {
            switch error.kind {
            case .invalidURL, .invalidRequest, .encoding, .unsupported: return .refused(reason)
            default: return .unavailable(reason, retryAfter: nil)
            }
        }
        guard [429, 502, 503, 504].contains(status) else { return .refused("HTTP \(status)") }
        return .unavailable("HTTP \(status)", retryAfter: error.suggestedRetryDelay.map { min($0, .seconds(3600)) })
    }
}

private enum ExportMark: RequestOption {
    static var defaultValue: Bool { false }
    static var affectsResponse: Bool { false }
}
