/// Writes heads of HTTP/1 messages, the last chunk and trailer fields as bytes (RFC 9112 sections 3, 5 and 7.1).
package struct HeadWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
    }

    /// Forgets what was written, and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    package mutating func startRequest(_ method: String, target: Substring) {
        write(method)
        bytes.append(0x20)
        write(target)
        write(" HTTP/1.1\r\n")
    }

    /// Writes the whole head of a response.
    package mutating func response(_ status: HTTPStatus, _ fields: HTTPFields) {
        write("HTTP/1.1 \(status.code) \r\n")
        self.fields(fields)
        endHead()
    }

    package mutating func field(_ name: String, _ value: String) {
        write(name)
        write(": ")
        write(value)
        write("\r\n")
    }

    /// Writes fields as they are, with the bytes that their values stand for.
    package mutating func fields(_ fields: HTTPFields) {
        fields.visit { field in
            write(field.name.rawName)
            write(": ")
            FieldText.append(field.value, to: &bytes)
            write("\r\n")
        }
    }

    package mutating func endHead() {
        write("\r\n")
    }

    /// Writes the last chunk and the trailer fields.
    package mutating func endChunks(_ trailers: HTTPFields) {
        write("0\r\n")
        fields(trailers)
        write("\r\n")
    }

    package mutating func content(_ content: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: content)
    }

    private mutating func write(_ text: String) {
        text.withBytes { bytes.append(contentsOf: $0) }
    }

    private mutating func write(_ text: Substring) {
        if text.utf8.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil {
            bytes.append(contentsOf: text.utf8)
        }
    }
}
