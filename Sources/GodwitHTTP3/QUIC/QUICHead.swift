#if os(Linux)
import GodwitCore
import GodwitSockets
import GodwitWire

/// The header fields of a request, as libcurl takes them. It writes `:method`, `:path` and the content's length itself.
enum QUICHead {
    /// - Parameter host: A value of `Host` that replaces the URL's host.
    static func lines(of exchange: Exchange, host: String?) -> CurlList {
        let request = exchange.request
        var list = CurlList()
        for field in request.fields.withOneCookieField where !isLeftOut(field) { list.append(line(field)) }
        for field in RequestFields.added(to: request, mayShare: true) { list.append("\(field.name): \(field.value)") }
        if let host { list.append("Host: \(host)") }
        // A name without a value keeps libcurl from adding its own field.
        if !request.fields.contains(.accept) { list.append("Accept:") }
        if !request.fields.contains(.contentType) { list.append("Content-Type:") }
        list.append(exchange.isExpecting ? "Expect: 100-continue" : "Expect:")
        return list
    }

    /// The head in the form of HTTP/1, for people.
    static func text(of exchange: Exchange, host: String?) -> String {
        let request = exchange.request
        var text =
            "\(request.method) \(request.url.target) HTTP/3\r\nHost: \(host ?? request.url.origin.hostAndPort)\r\n"
        for field in request.fields.withOneCookieField where !isLeftOut(field) {
            text += "\(field.name.rawName.asciiLowercased): \(field.value)\r\n"
        }
        for field in RequestFields.added(to: request, mayShare: true) {
            text += "\(field.name.asciiLowercased): \(field.value)\r\n"
        }
        if let length = exchange.source?.length { text += "content-length: \(length)\r\n" }
        if exchange.isExpecting { text += "expect: 100-continue\r\n" }
        return text + "\r\n"
    }

    private static func line(_ field: HTTPField) -> [UInt8] {
        var bytes = Array(field.name.rawName.utf8)
        // In libcurl's list, "Name;" is a field without a value.
        guard !field.value.isEmpty else { return bytes + [UInt8(ascii: ";")] }
        bytes += Array(": ".utf8)
        FieldText.append(field.value, to: &bytes)
        return bytes
    }

    /// Whether HTTP/3 has no such field, or libcurl writes it.
    private static func isLeftOut(_ field: HTTPField) -> Bool {
        field.name == .contentLength || field.name == .expect || RequestFields.isOfHTTP1(field)
    }
}
#endif
