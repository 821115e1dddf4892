#if os(Linux)
import GodwitCore
import GodwitWire

/// Reads heads and trailers, which libcurl passes on line by line in the form of HTTP/1.
struct HeadLines {
    /// What a line completes.
    enum Event {
        case nothing
        case interim(HTTPStatus, HTTPFields)
        case head(HTTPStatus, HTTPFields)
        case invalid(NetworkError.Kind)
    }

    private var status: HTTPStatus?
    private var fields = HTTPFields()
    /// The bytes of all heads.
    private(set) var size = 0
    private var interimCount = 0
    /// Whether the head of the final response is complete: what follows it are trailers.
    private(set) var isComplete = false

    /// The fields after the body.
    var trailers: HTTPFields { isComplete ? fields : [:] }

    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Event {
        size += bytes.count
        guard size <= ResponseHeadReader.limit else {
            return .invalid(.tooLarge(limit: Int64(ResponseHeadReader.limit)))
        }
        let end = bytes.lastIndex { $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? 0
        let line = bytes[..<end]
        if line.isEmpty { return endHead() }
        if line.starts(with: "HTTP/".utf8) { return begin(line) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            return .invalid(.invalidResponse(reason: "a header line can't be read"))
        }
        let name = HTTPField.Name(unchecked: String(decoding: line[..<colon], as: UTF8.self))
        var value = line[(colon + 1)...]
        while let first = value.first, Self.isBlank(first) { value.removeFirst() }
        while let last = value.last, Self.isBlank(last) { value.removeLast() }
        let text = FieldText.decode(UnsafeRawBufferPointer(rebasing: value), for: name)
        fields.append(HTTPField(unchecked: name, value: text))
        return .nothing
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) -> Event {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: true)
        guard !isComplete, words.count >= 2, let code = Int(String(decoding: words[1], as: UTF8.self)),
            let status = HTTPStatus(code)
        else { return .invalid(.invalidResponse(reason: "the response has no status")) }
        self.status = status
        fields = HTTPFields()
        return .nothing
    }

    private mutating func endHead() -> Event {
        guard !isComplete, let status else { return .nothing }
        defer { fields = HTTPFields() }
        guard status.kind == .informational else {
            isComplete = true
            return .head(status, fields)
        }
        interimCount += 1
        guard interimCount <= ResponseHeadReader.interimLimit else {
            let limit = ResponseHeadReader.interimLimit
            return .invalid(.invalidResponse(reason: "the server sent more than \(limit) interim responses"))
        }
        guard status.code != 101 else {
            return .invalid(.invalidResponse(reason: "the server switched protocols without being asked to"))
        }
        return .interim(status, fields)
    }
}
#endif
