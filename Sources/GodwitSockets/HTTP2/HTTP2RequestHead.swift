#if os(Linux)
import CNGHTTP2
import GodwitCore

/// The fields of one head in the form of nghttp2, in memory that is used again.
struct HTTP2FieldBlock {
    private var bytes: [UInt8] = []
    private var lengths: [(name: Int, value: Int)] = []
    private var entries: [nghttp2_nv] = []

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
    }

    /// Adds a field whose name is in lower case.
    mutating func add(_ name: String, _ value: String) {
        let start = bytes.count
        name.withBytes { bytes.append(contentsOf: $0) }
        let nameEnd = bytes.count
        value.withBytes { bytes.append(contentsOf: $0) }
        lengths.append((nameEnd - start, bytes.count - nameEnd))
    }

    mutating func add(_ name: String, _ value: Substring) {
        let start = bytes.count
        bytes.append(contentsOf: name.utf8)
        bytes.append(contentsOf: value.utf8)
        lengths.append((name.utf8.count, bytes.count - start - name.utf8.count))
    }

    /// Adds a field with its name in lower case (RFC 9113 section 8.2), and the bytes that its value stands for.
    mutating func add(_ field: HTTPField) {
        let start = bytes.count
        field.name.rawName.withBytes { for byte in $0 { bytes.append(byte.asciiLowercased) } }
        let nameEnd = bytes.count
        FieldText.append(field.value, to: &bytes)
        lengths.append((nameEnd - start, bytes.count - nameEnd))
    }

    /// Calls a function of nghttp2 with the fields.
    mutating func withEntries<Result>(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result) -> Result {
        let (lengths, flags) = (lengths, HTTP2Session.noFlags)
        var entries = entries
        self.entries = []
        entries.removeAll(keepingCapacity: true)
        defer { self.entries = entries }
        return bytes.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            for (name, value) in lengths {
                entries.append(
                    nghttp2_nv(
                        name: start, value: start.map { $0 + name }, namelen: name, valuelen: value, flags: flags))
                start = start.map { $0 + name + value }
            }
            return entries.withUnsafeBufferPointer(body)
        }
    }

    /// The fields as text, for people.
    var lines: [(name: String, value: String)] {
        var start = 0
        return lengths.map { name, value in
            defer { start += name + value }
            return (
                String(decoding: bytes[start..<(start + name)], as: UTF8.self),
                String(decoding: bytes[(start + name)..<(start + name + value)], as: UTF8.self)
            )
        }
    }
}

/// The head of a request as HTTP/2 sends it (RFC 9113 section 8.3).
enum HTTP2RequestHead {
    static func write(_ exchange: Exchange, _ route: Route, to block: inout HTTP2FieldBlock) {
        let request = exchange.request
        block.add(":method", request.method.rawValue)
        block.add(":scheme", request.url.scheme.rawValue)
        block.add(":authority", route.host)
        block.add(":path", request.url.target)
        for field in request.fields.withOneCookieField where !RequestFields.isOfHTTP1(field) { block.add(field) }
        for field in RequestFields.added(to: request, mayShare: true) {
            block.add(field.name.asciiLowercased, field.value)
        }
        if let body = request.body {
            if let length = exchange.source?.length { block.add("content-length", "\(length)") }
            if let announced = body.announcedTrailers { block.add("trailer", announced) }
            if exchange.isExpecting { block.add("expect", "100-continue") }
        } else if request.method.expectsContent {
            block.add("content-length", "0")
        }
    }

    /// The same in the form of HTTP/1, for people.
    static func text(of exchange: Exchange, _ route: Route) -> String {
        var block = HTTP2FieldBlock()
        write(exchange, route, to: &block)
        var text = "\(exchange.request.method) \(exchange.request.url.target) HTTP/2\r\n"
        for (name, value) in block.lines where !name.hasPrefix(":") || name == ":authority" {
            text += "\(name == ":authority" ? "Host" : name): \(value)\r\n"
        }
        return text + "\r\n"
    }
}
#endif
