import Godwit
import GodwitCore
import TestSupport

// What arrives in pieces: the result must not depend on where they begin.
extension FuzzTarget {
    static var pieces: [FuzzTarget] { [responseHeads, requestHeads, chunkedBodies] }

    /// A target whose reader gives the same outcome for a text as a whole and in random pieces.
    private static func pieces(
        _ name: String, longest: Int, words: [String], _ outcome: @escaping @Sendable ([Data]) -> [String]
    ) -> FuzzTarget {
        var target = FuzzTarget(name: name, words: words) { data, random in
            let whole = outcome([data])
            let pieces = random.chunks(of: data)
            let other = outcome(pieces)
            guard whole != other else { return }
            fail("\(name): pieces of \(pieces.map(\.count)) bytes give \(other.suffix(3)), not \(whole.suffix(3))")
        }
        target.longest = longest
        return target
    }

    /// One connection's heads, as long as they are valid. The same head again is not parsed again.
    private static var responseHeads: FuzzTarget {
        pieces(
            "response-heads", longest: ResponseHeadReader.limit + (16 << 10),
            words: [
                "HTTP/1.1 200 OK\r\n", "HTTP/1.0 204\n", "HTTP/1.1 103 E\r\n", "HTTP/1.1 101 S\r\n", "\r\n\r\n", "\n\n",
                "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "Connection: close\r\n", " folded\r\n",
            ]
        ) { pieces in
            var reader = ResponseHeadReader()
            var (outcome, read, isOver) = ([String](), 0, false)
            reader.acceptsSwitch = true
            for piece in pieces where !isOver {
                piece.withUnsafeBytes { bytes in
                    var rest = bytes
                    while !rest.isEmpty, !isOver {
                        let before = rest.count
                        let step = reader.read(&rest)
                        read += before - rest.count
                        switch step {
                        case .incomplete:
                            if !rest.isEmpty { fail("response-heads: bytes are left of a head that continues") }
                        case .interim(let status, let fields): outcome.append("\(read): \(status.code) \(text(fields))")
                        case .complete(let head):
                            outcome.append("\(read): \(text(head))")
                            reader.reset()
                        case .invalid(let reason):
                            outcome.append(reason)
                            isOver = true
                        case .tooLarge:
                            outcome.append("too large")
                            isOver = true
                        }
                    }
                }
            }
            return outcome
        }
    }

    private static func text(_ head: HTTP1ResponseHead) -> String {
        let framing = head.framing(of: .get)
        // Whoever reads it otherwise finds another end.
        if case .length(let length) = framing, length < 1 { fail("response-heads: a body of \(length) bytes") }
        return "\(head.status.code) 1.\(head.minorVersion) \(framing) \(head.keepsAlive) \(text(head.fields))"
    }

    private static func text(_ fields: HTTPFields) -> String {
        fields.map { field in
            let value = field.value.unicodeScalars
            if value.contains(where: { $0 == "\0" || $0 == "\r" || $0 == "\n" }) {
                fail("a field value holds NUL, CR or LF")
            }
            return "\(field.name.rawName): \(field.value)"
        }.joined(separator: "\n")
    }

    private static var requestHeads: FuzzTarget {
        pieces(
            "request-heads", longest: 8 << 10,
            words: [
                "GET / HTTP/1.1\r\n", "POST /a HTTP/1.0\r\n", "Host: a\r\n", "\r\n\r\n", "\n\n",
                "Content-Length: 3\r\n",
                "Transfer-Encoding: chunked\r\n", "Connection: close\r\n", " folded\r\n", " HTTP/1.1\r\n",
            ]
        ) { pieces in
            var reader = RequestHeadReader(limit: 4 << 10)
            var (outcome, isOver) = ([String](), false)
            for piece in pieces where !isOver {
                piece.withUnsafeBytes { bytes in
                    var rest = bytes
                    while !rest.isEmpty, !isOver {
                        switch reader.read(&rest) {
                        case .incomplete:
                            if !rest.isEmpty { fail("request-heads: bytes are left of a head that continues") }
                        case .complete(let head):
                            if head.framing == .untilClose { fail("request-heads: a body until the connection closes") }
                            outcome.append("\(head.method) \(head.target) \(head.framing) \(text(head.fields))")
                        case .refused(let fault):
                            outcome.append(fault.reason)
                            isOver = true
                        }
                    }
                }
            }
            return outcome
        }
    }

    private static var chunkedBodies: FuzzTarget {
        pieces(
            "chunks", longest: 32 << 10,
            words: ["\r\n", "0\r\n\r\n", "5;a=b\r\n", "ffffffffffffffff\r\n", "1\n", "0\r\nA: b\r\n\r\n", " "]
        ) { pieces in
            var reader = ChunkReader()
            var (outcome, content, read) = ([String](), [UInt8](), 0)
            for piece in pieces where outcome.isEmpty {
                piece.withUnsafeBytes { bytes in
                    var rest = bytes
                    while !rest.isEmpty, outcome.isEmpty {
                        let before = rest.count
                        let step = reader.next(&rest)
                        read += before - rest.count
                        switch step {
                        case .incomplete: if !rest.isEmpty { fail("chunks: bytes are left of a body that continues") }
                        case .content(let part):
                            if part.isEmpty { fail("chunks: a piece without content") }
                            content += part
                        case .end(let trailers): outcome = ["the end at \(read)", text(trailers)]
                        case .invalid(let reason): outcome = [reason]
                        case .tooLarge: outcome = ["too large"]
                        }
                    }
                }
            }
            if content.count > read { fail("chunks: \(content.count) bytes of \(read)") }
            return ["\(content)"] + outcome
        }
    }
}
