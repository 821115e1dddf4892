#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The field lines of a request as libcurl's linked list, in one buffer that is reused (decision 017).
///
/// libcurl points into the list until the exchange ends, so it lives as long as its handle.
struct FieldList {
    private var text: UnsafeMutableBufferPointer<CChar> = .allocate(capacity: 1024)
    private var nodes: UnsafeMutableBufferPointer<curl_slist> = .allocate(capacity: 32)

    /// A line that is in the list unless the request has a field of that name.
    struct Default {
        let name: HTTPField.Name
        /// The whole line. Only a name and a colon makes libcurl leave out its own field.
        let line: String
    }

    /// Makes the list of these fields, and of the defaults whose names they lack.
    mutating func build(
        _ fields: HTTPFields, defaults: ArraySlice<Default>
    ) -> UnsafeMutablePointer<curl_slist>? {
        reserve(fields, defaults)
        var writer = Writer(text: text, nodes: nodes)
        fields.visit { writer.addField($0) }
        // Rare enough that the values are looked at together, once they are written.
        if text[..<writer.offset].contains(CChar(bitPattern: FieldText.leadByte)) {
            writer = Writer(text: text, nodes: nodes, restoresBytes: true)
            fields.visit { writer.addField($0) }
        }
        for field in defaults where !fields.contains(field.name) { writer.addLine(field.line) }
        return writer.first
    }

    func free() {
        text.deallocate()
        nodes.deallocate()
    }

    /// Frees the list, which must not be libcurl's any more, until the next one is built.
    mutating func release() {
        free()
        text = UnsafeMutableBufferPointer(start: nil, count: 0)
        nodes = UnsafeMutableBufferPointer(start: nil, count: 0)
    }

    private mutating func reserve(_ fields: HTTPFields, _ defaults: ArraySlice<Default>) {
        var bytes = 0
        fields.visit { bytes += $0.name.rawName.utf8.count + $0.value.utf8.count + 3 }
        for field in defaults { bytes += field.line.utf8.count + 1 }
        if bytes > text.count {
            text.deallocate()
            text = .allocate(capacity: bytes * 2)
        }
        let count = fields.count + defaults.count
        if count > nodes.count {
            nodes.deallocate()
            nodes = .allocate(capacity: count * 2)
        }
    }

    private struct Writer {
        let text: UnsafeMutableBufferPointer<CChar>
        let nodes: UnsafeMutableBufferPointer<curl_slist>
        /// Whether a value may stand for other bytes than UTF-8; see ``FieldText``.
        var restoresBytes = false
        var offset = 0
        var count = 0

        var first: UnsafeMutablePointer<curl_slist>? { count > 0 ? nodes.baseAddress : nil }

        mutating func addField(_ field: HTTPField) {
            let start = offset
            write(field.name.rawName)
            // In libcurl's list, "Name;" is a field without a value.
            write(field.value.isEmpty ? ";" : ": ")
            if restoresBytes {
                FieldText.bytes(of: field.value).withUnsafeBufferPointer { write($0) }
            } else {
                write(field.value)
            }
            link(from: start)
        }

        mutating func addLine(_ line: String) {
            let start = offset
            write(line)
            link(from: start)
        }

        private mutating func write(_ string: String) {
            string.withBytes { write($0) }
        }

        private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                _ = UnsafeMutableBufferPointer(rebasing: text[offset...]).update(fromContentsOf: bytes)
            }
            offset += bytes.count
        }

        private mutating func link(from start: Int) {
            text[offset] = 0
            offset += 1
            nodes[count] = curl_slist(data: text.baseAddress.map { $0 + start }, next: nil)
            if count > 0 { nodes[count - 1].next = nodes.baseAddress.map { $0 + count } }
            count += 1
        }
    }
}

extension FieldList.Default {
    /// For a request without a body. The codings come first, as not every request accepts them.
    static let withoutContent: ArraySlice = [
        FieldList.Default(name: .acceptEncoding, line: "Accept-Encoding: \(ContentDecoder.codings)"),
        FieldList.Default(name: .accept, line: "Accept:"),
    ]

    /// For a request with `Expect: 100-continue`.
    static let withExpectation =
        withoutContent + [
            FieldList.Default(name: .expect, line: "Expect: 100-continue"),
            FieldList.Default(name: .contentType, line: "Content-Type:"),
        ]

    /// For a request with a body.
    static let withContent =
        withoutContent + [
            FieldList.Default(name: .expect, line: "Expect:"),
            FieldList.Default(name: .contentType, line: "Content-Type:"),
        ]
}

extension FieldList.Default {
    /// The priority of a request, unless it is the usual one (RFC 9218).
    static func priority(of request: HTTPRequest) -> FieldList.Default? {
        request.priorityField.map { FieldList.Default(name: .priority, line: "Priority: \($0)") }
    }
}

/// The URL of a handle, parsed by libcurl and kept from one exchange to the next (decision 017).
///
/// libcurl parses a URL that is given as text for each exchange, and then formats it byte by byte; it only copies the parts of
/// a parsed one.
struct CurlURL {
    private let pointer: OpaquePointer
    private var current: HTTPURL?

    init?() {
        guard let pointer = curl_url() else { return nil }
        self.pointer = pointer
    }

    /// Sets this as the URL of a handle, which it has to outlive.
    func attach(to easy: UnsafeMutableRawPointer) {
        godwit_set_pointer(easy, CURLOPT_CURLU, UnsafeMutableRawPointer(pointer))
    }

    /// Parses a URL. Returns why libcurl refuses it, or nil.
    mutating func set(_ url: HTTPURL) -> String? {
        guard url != current else { return nil }
        current = nil
        // Our URLs are already normalized, and the logged URL is the requested one.
        let code = url.absoluteString.withCString { text in
            curl_url_set(pointer, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS))
        }
        guard code == CURLUE_OK else { return String(cString: curl_url_strerror(code)) }
        current = url
        return nil
    }

    func free() {
        curl_url_cleanup(pointer)
    }
}
#endif
