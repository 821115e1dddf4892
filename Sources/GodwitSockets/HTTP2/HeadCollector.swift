#if os(Linux)
import GodwitCore

/// A head or trailers of a response.
struct HTTP2Head {
    /// `nil` in trailers.
    var status: HTTPStatus?
    var fields = HTTPFields()
    /// The bytes of its fields, as the server counts them (RFC 9113 section 6.5.2).
    var size = 0
}

/// Collects the fields of one head after another. A field at the same place as in the last head with the same bytes isn't made
/// again, and if all are the same, the list isn't either.
struct HeadCollector {
    /// The stream whose head is being received.
    private(set) var stream: Int32?
    private var head = HTTP2Head()
    /// The fields of the last response's head, and how many of them began this one, until one differed.
    private var last = HTTPFields()
    private var repeated = 0
    private var repeats = true

    mutating func begin(_ stream: Int32) {
        self.stream = stream
        head = HTTP2Head()
        repeated = 0
        repeats = true
    }

    /// Adds a field; `false` if the head is too large.
    mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        head.size += name.count + value.count + 32
        guard head.size <= ResponseHeadReader.limit else { return false }
        if name.first == UInt8(ascii: ":") {
            if name.elementsEqual(":status".utf8) { head.status = Self.status(value) }
            return true
        }
        let place = repeats ? repeated : head.fields.count
        let isSame = place < last.count && last.isField(at: place, name, value)
        if isSame, repeats {
            repeated += 1
            return true
        }
        stopRepeating()
        head.fields.append(isSame ? last[place] : Self.field(name, value))
        return true
    }

    /// The head is complete.
    mutating func end() -> HTTP2Head {
        stream = nil
        if repeats, repeated == last.count { head.fields = last } else { stopRepeating() }
        if let status = head.status, status.kind != .informational { last = head.fields }
        defer { head = HTTP2Head() }
        return head
    }

    private mutating func stopRepeating() {
        guard repeats else { return }
        repeats = false
        head.fields = HTTPFields(last.prefix(repeated))
    }

    private static func status(_ value: UnsafeRawBufferPointer) -> HTTPStatus? {
        Int(String(decoding: value, as: UTF8.self)).flatMap { HTTPStatus($0) }
    }

    private static func field(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> HTTPField {
        let name = HTTPField.Name(unchecked: String(decoding: name, as: UTF8.self))
        return HTTPField(unchecked: name, value: FieldText.decode(value, for: name))
    }
}
#endif
