import GodwitSupport

/// Adds an `X-Request-ID` to each call that has none. All attempts of a call have the same ID.
///
/// ```swift
/// let chain = Chain([RequestIdentifier(.generated { UUID().uuidString }), Retry()], over: transport)
/// ```
public struct RequestIdentifier: RequestMiddleware {
    private let source: RequestIDs

    /// Creates a middleware that adds an ID to each call that has none.
    ///
    /// - Parameter source: The source of the IDs; ``RequestIDs/off`` adds none.
    public init(_ source: RequestIDs = .automatic) {
        self.source = source
    }

    /// Adds the ID if the request has none.
    public func prepare(_ call: inout Call) {
        guard !call.request.fields.contains(.requestID), let id = id(of: call) else { return }
        call.request.fields.append(id, for: .requestID)
    }

    private func id(of call: Call) -> String? {
        switch source {
        case .off: nil
        case .automatic: Hexadecimal.encode(Self.process, dash: call.id)
        case .generated(let generate): generate()
        }
    }

    private static let process = UInt64.random(in: .min ... .max)
}

/// Adds header fields to every request that doesn't have them.
///
/// ```swift
/// DefaultFields([.acceptLanguage: "de", "X-Client": "demo"])
/// ```
///
/// Names are case-insensitive.
public struct DefaultFields: RequestMiddleware {
    private let fields: HTTPFields

    /// Creates a middleware that adds these fields. Fields with the same name are added together or not at all.
    ///
    /// - Parameter fields: The fields.
    public init(_ fields: HTTPFields) {
        self.fields = fields
    }

    /// Appends the fields after those of the request.
    public func prepare(_ call: inout Call) {
        guard call.request.options[DefaultFieldUse.self] == .all else { return }
        // Keeping a copy of the list for comparison would force the first append to copy it.
        let own = call.request.fields.count
        for field in fields where !call.request.fields.contains(field.name, amongFirst: own) {
            call.request.fields.append(field)
        }
    }
}

/// Whether a request gets the client's default fields, which may hold a key of its API.
enum DefaultFieldUse: RequestOption {
    case all, none

    static let defaultValue = DefaultFieldUse.all
}

/// The source of the IDs sent as `X-Request-ID`, by which a server's log can be searched.
///
/// A call keeps its ID through retries and redirects; ``NetworkError/requestID`` has it.
///
/// ```swift
/// $0.requestIDs = .generated { UUID().uuidString }
/// ```
public enum RequestIDs: Sendable {
    /// Sends no ID.
    case off

    /// Sixteen random digits of this process and the number of the call.
    case automatic

    /// A custom ID. The closure runs once for each call, on any task.
    case generated(@Sendable () -> String)
}
