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
    private var interims = InterimHeads()
    /// Whether the head of the final response is complete: what follows it are trailers.
    private(set) var isComplete = false

    /// The fields after the body.
    var trailers: HTTPFields { isComplete ? fields : [:] }

    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Event {
        size += bytes.count
        guard size <= ResponseHeadReader.limit else {
            return .invalid(.tooLarge(limit: Int64(ResponseHeadReader.limit)))
        }
        let line = FieldLines.withoutEnding(bytes)
        if line.isEmpty { return endHead() }
        if line.starts(with: "HTTP/".utf8) { return begin(line) }
        return FieldLines.read(line, into: &fields).map { .invalid(.invalidResponse(reason: $0)) } ?? .nothing
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) -> Event {
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
        return interims.add(status).map { .invalid(.invalidResponse(reason: $0)) } ?? .interim(status, fields)
    }
}
#endif
