import Godwit

/// The JSON object that `--json-output` prints.
enum ResponseReport {
    enum Body {
        case bytes(Data)
        case file(String)
        case omitted
    }

    static func report(_ response: HTTPResponse, _ body: Body, metrics: TransferMetrics) -> OrderedJSON {
        let content = members(of: body, type: response.head.fields[.contentType])
        return .object([
            "method": .string(response.request.method.rawValue),
            "url": .string(String(response.request.description.drop { $0 != " " }.dropFirst())),
            "status": .number(response.head.status.code),
            "fields": fields(response.head.fields),
            "metrics": report(metrics),
            "body": content.body,
            "bodyBase64": content.base64,
            "file": content.file,
        ])
    }

    static func report(_ error: NetworkError) -> OrderedJSON {
        .object([
            "error": .object([
                "kind": .string(error.shortDescription), "message": .string(error.description),
                "userMessage": error.userMessage.map { .string($0) },
                "status": error.response.map { .number($0.status.code) },
                "exitCode": .number(ExitCode(error.kind).rawValue),
            ])
        ])
    }

    /// Names are in lower case. Repeated fields are joined, except Set-Cookie, which is always an array.
    private static func fields(_ fields: HTTPFields) -> OrderedJSON {
        var names: [HTTPField.Name] = []
        for field in fields where !names.contains(field.name) { names.append(field.name) }
        return .object(
            names.map { name in
                let value: OrderedJSON =
                    name == .setCookie
                    ? .array(fields.values(of: name).map { .string($0) }) : .string(fields[name] ?? "")
                return OrderedJSON.Member(name: OrderedJSON.quoted(name.canonicalName), value: value)
            })
    }

    /// Times are in milliseconds from the start. Phases that did not happen are omitted.
    private static func report(_ metrics: TransferMetrics) -> OrderedJSON {
        .object([
            "dns": milliseconds(metrics.dns), "connect": milliseconds(metrics.connect),
            "tls": milliseconds(metrics.tls),
            "requestSent": milliseconds(metrics.requestSent), "firstByte": milliseconds(metrics.firstByte),
            "total": milliseconds(metrics.total), "bytesSent": .number(metrics.bytesSent),
            "bytesReceived": .number(metrics.bytesReceived), "reusedConnection": .bool(metrics.reusedConnection),
            "protocol": metrics.protocolVersion.map { .string($0.rawValue) },
            "http3Fallback": metrics.http3Fallback.map { .string($0) },
            "remoteAddress": metrics.remoteAddress.map { .string($0) },
            "localPort": metrics.localPort.map { .number($0) },
            "openConnections": metrics.openConnections.map { .number($0) },
            "resends": metrics.resendCount > 0 ? .number(metrics.resendCount) : nil,
            "redirects": .number(metrics.redirectCount),
            "cacheStatus": metrics.cacheStatus.map { .string("\($0)") },
            "upgrades": metrics.upgradeCount > 0 ? .number(metrics.upgradeCount) : nil,
        ])
    }

    private static func milliseconds(_ duration: Duration?) -> OrderedJSON? {
        duration.map { .decimal($0 / .milliseconds(1)) }
    }

    private static func members(
        of body: Body, type: String?
    ) -> (body: OrderedJSON?, base64: OrderedJSON?, file: OrderedJSON?) {
        switch body {
        case .omitted: return (nil, nil, nil)
        case .file(let path): return (nil, nil, .string(path))
        case .bytes(let data):
            let isJSON = type.flatMap(MediaType.init(_:))?.isJSON == true
            if isJSON, let json = try? OrderedJSON(parsing: data) { return (json, nil, nil) }
            if let text = String(validating: data, as: UTF8.self) { return (.string(text), nil, nil) }
            return (nil, .string(data.base64EncodedString()), nil)
        }
    }
}
