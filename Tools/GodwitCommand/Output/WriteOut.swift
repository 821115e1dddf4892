import Godwit
import GodwitSupport

/// The text of `-w`: curl's variables in `%{…}`, fields of the response in `%header{…}`, and `\n`, `\t`, `\r`, `\\` and `%%`.
struct WriteOut: Sendable {
    /// The variables that are known.
    enum Variable: String, Sendable, CaseIterable {
        case code = "http_code"
        case responseCode = "response_code"
        case version = "http_version"
        case type = "content_type"
        case method
        case url
        case effectiveURL = "url_effective"
        case redirectURL = "redirect_url"
        case redirectCount = "num_redirects"
        case remoteAddress = "remote_ip"
        case remotePort = "remote_port"
        case localPort = "local_port"
        case received = "size_download"
        case sent = "size_upload"
        case total = "time_total"
        case lookup = "time_namelookup"
        case connect = "time_connect"
        case tls = "time_appconnect"
        case firstByte = "time_starttransfer"
        case fields = "header_json"
    }

    private enum Piece: Sendable {
        case text(String)
        case variable(Variable)
        case field(HTTPField.Name)
    }

    private var pieces: [Piece] = []

    init(_ format: String) throws(UsageError) {
        var text = ""
        var rest = format[...]
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.popFirst() {
                text += Self.escapes[next].map { String($0) } ?? "\\\(next)"
            } else if character == "%", rest.first == "%" {
                text.append(rest.removeFirst())
            } else if character == "%", let brace = rest.firstIndex(where: { !$0.isLetter }), rest[brace] == "{" {
                let kind = rest[..<brace]
                guard let end = rest.firstIndex(of: "}") else { throw UsageError("-w: %\(kind){ isn't closed with }") }
                pieces += [.text(text), try Self.piece(kind, String(rest[rest.index(after: brace)..<end]))]
                text = ""
                rest = rest[rest.index(after: end)...]
            } else {
                text.append(character)
            }
        }
        pieces.append(.text(text))
    }

    /// Reads the value of `-w`: the format, or `@FILE` with it.
    init(argument: String) throws(UsageError) {
        if argument == "@-" { throw UsageError("-w @- is not supported; write the format, or @FILE") }
        try self.init(argument.hasPrefix("@") ? SmallFile.argument(String(argument.dropFirst())) : argument)
    }

    /// `%{name}` or `%header{name}`.
    private static func piece(_ kind: Substring, _ name: String) throws(UsageError) -> Piece {
        switch kind {
        case "":
            guard let variable = Variable(rawValue: name) else { throw unknown(name) }
            return .variable(variable)
        case "header":
            guard let field = HTTPField.Name(name) else {
                throw UsageError("-w: \"\(name)\" is not the name of a header field")
            }
            return .field(field)
        default: throw UsageError("-w: %\(kind){…} is not supported; known are %{VARIABLE} and %header{NAME}")
        }
    }

    private static let escapes: [Character: Character] = ["n": "\n", "t": "\t", "r": "\r", "\\": "\\"]

    private static func unknown(_ name: String) -> UsageError {
        let names = Variable.allCases.map(\.rawValue)
        let hint = Suggestion.text(for: name, among: names)
        let list = hint.isEmpty ? "; known are \(names.joined(separator: ", "))" : hint
        return UsageError("-w: unknown variable %{\(name)}\(list)")
    }

    func text(_ response: HTTPResponse, _ metrics: TransferMetrics, url: String) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .variable(let variable): Self.value(variable, response, metrics, url)
            case .field(let name): response.head.fields.values(of: name).first ?? ""
            }
        }.joined()
    }

    private static func value(
        _ variable: Variable, _ response: HTTPResponse, _ metrics: TransferMetrics, _ url: String
    ) -> String {
        switch variable {
        case .code, .responseCode: String(response.head.status.code)
        case .version: metrics.protocolVersion.map { String($0.rawValue.dropFirst("HTTP/".count)) } ?? "0"
        case .type: response.head.fields[.contentType] ?? ""
        case .method: response.request.method.rawValue
        case .url: url
        case .effectiveURL: response.request.url.absoluteString
        case .redirectURL:
            response.head.fields[.location].flatMap { try? response.request.url.resolving($0).absoluteString } ?? ""
        case .redirectCount: String(metrics.redirectCount)
        case .remoteAddress: address(metrics).host
        case .remotePort: address(metrics).port
        case .localPort: String(metrics.localPort ?? 0)
        case .received: String(metrics.bytesReceived)
        case .sent: String(metrics.bytesSent)
        case .total: seconds(metrics.total)
        case .lookup: seconds(metrics.dns)
        case .connect: seconds(metrics.connect)
        case .tls: seconds(metrics.tls)
        case .firstByte: seconds(metrics.firstByte)
        case .fields: json(response.head.fields)
        }
    }

    /// An object with a list of values for each name, in lower case and in the order of arrival.
    private static func json(_ fields: HTTPFields) -> String {
        var names: [HTTPField.Name] = []
        for field in fields where !names.contains(field.name) { names.append(field.name) }
        let members = names.map { name in
            OrderedJSON.Member(
                name: OrderedJSON.quoted(name.canonicalName), value: .array(fields.values(of: name).map { .string($0) })
            )
        }
        return OrderedJSON.object(members).text(.compact)
    }

    private static func address(_ metrics: TransferMetrics) -> (host: String, port: String) {
        guard let text = metrics.remoteAddress, let colon = text.lastIndex(of: ":") else { return ("", "") }
        return (text[..<colon].filter { !"[]".contains($0) }, String(text[text.index(after: colon)...]))
    }

    /// With six decimal places, as curl.
    private static func seconds(_ duration: Duration?) -> String {
        let microseconds = duration.map { Int(($0 / .microseconds(1)).rounded()) } ?? 0
        return "\(microseconds / 1_000_000).\((microseconds % 1_000_000).padded(to: 6))"
    }
}
