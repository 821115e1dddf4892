import CGodwitCurl
import GodwitCore

/// The field lines of a request as the linked list libcurl wants, in one buffer that is used again and again.
///
/// libcurl keeps pointing into the list until the exchange ends, so it lives as long as its handle.
struct FieldList {
    private var text: UnsafeMutableBufferPointer<CChar> = .allocate(capacity: 1024)
    private var nodes: UnsafeMutableBufferPointer<curl_slist> = .allocate(capacity: 32)

    /// The list of these fields, and of what libcurl would add by itself and shall not.
    ///
    /// - Parameter suppressed: Names of libcurl's own fields to leave out unless they are given.
    mutating func build(
        _ fields: HTTPFields, suppressed: [HTTPField.Name]
    ) -> UnsafeMutablePointer<curl_slist>? {
        reserve(fields, suppressed)
        var writer = Writer(text: text, nodes: nodes)
        for field in fields { writer.addField(field) }
        // "Name:" without a value tells libcurl to leave its own out.
        for name in suppressed where !fields.contains(name) { writer.addName(name.rawName, end: ":") }
        return writer.first
    }

    func free() {
        text.deallocate()
        nodes.deallocate()
    }

    private mutating func reserve(_ fields: HTTPFields, _ suppressed: [HTTPField.Name]) {
        var bytes = 0
        for field in fields { bytes += field.name.rawName.utf8.count + field.value.utf8.count + 3 }
        for name in suppressed { bytes += name.rawName.utf8.count + 2 }
        if bytes > text.count {
            text.deallocate()
            text = .allocate(capacity: bytes * 2)
        }
        let count = fields.count + suppressed.count
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
            if field.value.isEmpty { return addName(field.name.rawName, end: ";") }
            let start = offset
            write(field.name.rawName)
            write(": ")
            write(field.value)
            link(from: start)
        }

        mutating func addName(_ name: String, end: StaticString) {
            let start = offset
            write(name)
            end.withUTF8Buffer { write($0) }
            link(from: start)
        }

        private mutating func write(_ string: String) {
            var string = string
            string.withUTF8 { write($0) }
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
