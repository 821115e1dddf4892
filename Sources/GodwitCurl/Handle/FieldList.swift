import CGodwitCurl
import GodwitCore

/// The field lines of a request as the linked list libcurl wants, in one buffer that is used again and again.
///
/// libcurl keeps pointing into the list until the exchange ends, so it lives as long as its handle.
struct FieldList {
    private var text: UnsafeMutableBufferPointer<CChar> = .allocate(capacity: 1024)
    private var nodes: UnsafeMutableBufferPointer<curl_slist> = .allocate(capacity: 32)

    /// What stands in the list unless the request says otherwise.
    struct Default {
        let name: HTTPField.Name
        /// The whole line. A name and a colon tell libcurl to leave its own out.
        let line: String
    }

    /// The list of these fields, and of the defaults whose names are not among them.
    mutating func build(
        _ fields: HTTPFields, defaults: ArraySlice<Default>
    ) -> UnsafeMutablePointer<curl_slist>? {
        reserve(fields, defaults)
        var writer = Writer(text: text, nodes: nodes)
        fields.visit { writer.addField($0) }
        for field in defaults where !fields.contains(field.name) { writer.addLine(field.line) }
        return writer.first
    }

    func free() {
        text.deallocate()
        nodes.deallocate()
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
        var offset = 0
        var count = 0

        var first: UnsafeMutablePointer<curl_slist>? { count > 0 ? nodes.baseAddress : nil }

        mutating func addField(_ field: HTTPField) {
            let start = offset
            write(field.name.rawName)
            // "Name;" is libcurl's way to write a field without a value.
            write(field.value.isEmpty ? ";" : ": ")
            write(field.value)
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
    /// For a request without content; the codings first, which not every request accepts.
    static let withoutContent: ArraySlice = [
        FieldList.Default(name: .acceptEncoding, line: "Accept-Encoding: \(ContentDecoder.codings)"),
        FieldList.Default(name: .accept, line: "Accept:"),
    ]

    /// For a request whose content waits to be asked for.
    static let withExpectation =
        withoutContent + [
            FieldList.Default(name: .expect, line: "Expect: 100-continue"),
            FieldList.Default(name: .contentType, line: "Content-Type:"),
        ]

    /// For a request with content.
    static let withContent =
        withoutContent + [
            FieldList.Default(name: .expect, line: "Expect:"),
            FieldList.Default(name: .contentType, line: "Content-Type:"),
        ]
}
