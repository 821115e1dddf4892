import Godwit
import GodwitSupport

/// The text of `-w`: curl's variables in `%{…}`, and `\n`, `\t`, `\r`, `\\` and `%%`.
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
    }

    private enum Piece: Sendable {
        case text(String)
        case variable(Variable)
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
            } else if character == "%", rest.first == "{" {
                guard let end = rest.firstIndex(of: "}") else { throw UsageError("-w: %{ isn't closed with }") }
                let name = String(rest[rest.index(after: rest.startIndex)..<end])
                guard let variable = Variable(rawValue: name) else { throw Self.unknown(name) }
                pieces += [.text(text), .variable(variable)]
                text = ""
                rest = rest[rest.index(after: end)...]
            } else {
                text.append(character)
            }
        }
        pieces.append(.text(text))
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
        }
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
