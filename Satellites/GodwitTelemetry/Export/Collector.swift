import GodwitCore

/// Encodes exports, and sends them to a collector, one attempt at a time.
struct Collector: Sendable {
    /// An encoded message.
    struct Export: Sendable {
        let body: Data
        let signal: TelemetryOptions.Signal
    }

    enum Outcome: Sendable, Equatable {
        /// The collector has the export, except for records that it refused. The message of one without refused records
        /// is a warning.
        case accepted(rejected: Int, message: String)
        /// The collector will never accept it.
        case refused(String)
        /// The collector may accept it later, not before the time it asks for.
        case unavailable(String, retryAfter: Duration?)

        /// Why records are not accepted; `nil` if all are.
        var failure: String? {
            switch self {
            case .accepted(0, _): nil
            case .accepted(_, let message): message.isEmpty ? "the collector rejected a part" : message
            case .refused(let reason), .unavailable(let reason, _): reason
            }
        }

        var warning: String? {
            if case .accepted(0, let message) = self, !message.isEmpty { message } else { nil }
        }
    }

    private let client: APIClient
    private let encoding: TelemetryOptions.Encoding
    private let headers: HTTPFields
    private let diagnostics: Diagnostics
    private let origin: Origin

    init(_ client: APIClient, at url: HTTPURL, _ options: TelemetryOptions) {
        self.client = client
        diagnostics = options.diagnostics
        origin = url.origin
        headers = options.headers
        encoding = options.encoding
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

    func export<Message: ExportMessage>(_ records: Message.Records, by message: Message) -> Export {
        let body =
            switch encoding {
            case .protobuf: message.write(records, as: ProtobufWriter.self)
            case .json: message.write(records, as: JSONWriter.self)
            }
        return Export(body: body, signal: Message.signal)
    }

    /// Sends an export, and reports a failure to the diagnostics.
    func send(_ export: Export) async -> Outcome {
        let outcome = await answer(to: export)
        if let failure = outcome.failure {
            // The signal is part of the place, so that failures of one don't hide those of the other.
            let place = "\(origin)/v1/\(export.signal.rawValue)"
            diagnostics.report(StorageDiagnostic(.telemetry, .unavailable, path: place, detail: failure))
        }
        return outcome
    }

    private func answer(to export: Export) async -> Outcome {
        let type = encoding == .json ? JSONWriter.mediaType : ProtobufWriter.mediaType
        var endpoint = Endpoint<Data>.post("v1/\(export.signal.rawValue)", body: .data(export.body, type: type))
        endpoint.fields = headers
        endpoint = endpoint.options { $0.isUntraced = true }
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

    /// 429, 502, 503 and 504 may pass, and so may a failure without a response; no other status does (OTLP, Failures).
    private static func outcome(of error: NetworkError) -> Outcome {
        let reason = error.shortDescription
        guard let status = error.response?.status else {
            switch error.kind {
            case .invalidURL, .invalidRequest, .encoding, .unsupported, .shutdown: return .refused(reason)
            default: return .unavailable(reason, retryAfter: nil)
            }
        }
        // The collector has the records, even if the rest of its response is lost, too large or damaged.
        if status.isSuccessful { return .accepted(rejected: 0, message: "") }
        guard [429, 502, 503, 504].contains(status.code) else { return .refused("HTTP \(status.code)") }
        return .unavailable("HTTP \(status.code)", retryAfter: error.suggestedRetryDelay)
    }
}

extension Collector: CustomReflectable {
    /// Shows nothing, because the header fields may be secrets.
    var customMirror: Mirror { Mirror(self, children: []) }
}
