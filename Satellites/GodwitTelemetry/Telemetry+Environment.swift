public import GodwitCore

extension Telemetry {
    /// Creates a telemetry from OpenTelemetry's environment variables.
    ///
    /// ```swift
    /// let telemetry = try Telemetry(environment: ProcessInfo.processInfo.environment)
    /// ```
    ///
    /// | variable | |
    /// | --- | --- |
    /// | `OTEL_EXPORTER_OTLP_ENDPOINT` | the base URL of the collector; `http://localhost:4318` by default |
    /// | `OTEL_EXPORTER_OTLP_PROTOCOL` | `http/protobuf` (the default) or `http/json` |
    /// | `OTEL_EXPORTER_OTLP_HEADERS` | header fields: `api-key=…,x-tenant=a`, percent-encoded |
    /// | `OTEL_SERVICE_NAME` | `service.name`; `unknown_service` by default |
    /// | `OTEL_RESOURCE_ATTRIBUTES` | attributes of the program: `service.version=1.2,…`, percent-encoded |
    /// | `OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS` | ``TelemetryOptions/knownMethods``: `GET,PROPFIND,…` |
    ///
    /// An empty variable counts as missing.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - configure: Changes the options further.
    /// - Throws: The errors of ``Telemetry/init(otlp:service:_:)``; `.invalidRequest` for a variable that can't be read.
    ///   The error doesn't show the variable's value.
    public convenience init(
        environment: [String: String], _ configure: (inout TelemetryOptions) -> Void = { _ in }
    ) throws(NetworkError) {
        let variables = TelemetryVariables(environment)
        let headers = try variables.headers
        let encoding = try variables.encoding
        let methods = try variables.methods
        var resource = try variables.pairs("OTEL_RESOURCE_ATTRIBUTES")
        let named = resource.removeValue(forKey: "service.name")
        let service = variables["OTEL_SERVICE_NAME"] ?? named ?? "unknown_service"
        try self.init(
            otlp: variables["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "http://localhost:4318", service: service
        ) { options in
            options.headers = headers
            options.encoding = encoding
            options.resource = resource
            options.knownMethods = methods ?? options.knownMethods
            configure(&options)
        }
    }
}

/// Reads variables by OpenTelemetry's specification.
private struct TelemetryVariables {
    private let values: [String: String]

    init(_ values: [String: String]) {
        self.values = values
    }

    subscript(name: String) -> String? {
        guard let text = values[name]?.trimmingBlanks, !text.isEmpty else { return nil }
        return String(text)
    }

    /// A list such as `a=1,b=2`, with percent-encoded values.
    func pairs(_ name: String) throws(NetworkError) -> [String: String] {
        var pairs: [String: String] = [:]
        for part in list(name) {
            guard let mark = part.firstIndex(of: "="),
                let value = PercentEncoding.decode(part[part.index(after: mark)...]),
                let key = PercentEncoding.decode(part[..<mark].trimmingBlanks), !key.isEmpty
            else { throw Self.invalid(name, "a list such as a=1,b=2 is expected") }
            pairs[key] = String(value.trimmingBlanks)
        }
        return pairs
    }

    var headers: HTTPFields {
        get throws(NetworkError) {
            let variable = "OTEL_EXPORTER_OTLP_HEADERS"
            var fields: HTTPFields = [:]
            for (name, value) in try pairs(variable).sorted(by: { $0.key < $1.key }) {
                guard let name = HTTPField.Name(name), let field = HTTPField(name: name, value: value) else {
                    throw Self.invalid(variable, "a name or value is not allowed in a header field")
                }
                fields.append(field)
            }
            return fields
        }
    }

    var encoding: TelemetryOptions.Encoding {
        get throws(NetworkError) {
            let variable = "OTEL_EXPORTER_OTLP_PROTOCOL"
            return switch self[variable] {
            case nil, "http/protobuf": .protobuf
            case "http/json": .json
            default: throw Self.invalid(variable, "only http/protobuf and http/json are supported")
            }
        }
    }

    var methods: Set<HTTPMethod>? {
        get throws(NetworkError) {
            let variable = "OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS"
            guard self[variable] != nil else { return nil }
            var methods: Set<HTTPMethod> = []
            for name in list(variable) {
                guard let method = HTTPMethod(String(name)) else {
                    throw Self.invalid(variable, "a name is not a method")
                }
                methods.insert(method)
            }
            return methods
        }
    }

    private func list(_ name: String) -> [Substring] {
        (self[name] ?? "").split(separator: ",").map { $0.trimmingBlanks[...] }.filter { !$0.isEmpty }
    }

    private static func invalid(_ variable: String, _ reason: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: "the environment variable \(variable): \(reason)"), phase: .building)
    }
}
