import Godwit
import PeerSupport

/// A server of HTTP/2 that sends exactly these bytes: no library keeps it from breaking the rules.
struct Frames {
    private(set) var bytes: [UInt8] = []

    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, push, ping, goAway, windowUpdate, continuation
    }

    /// Adds a frame (RFC 9113 section 4.1).
    ///
    /// - Parameter length: What the frame says of its length; the payload's by default.
    func adding(
        _ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 1, _ payload: [UInt8] = [], length: Int? = nil
    ) -> Frames {
        var frames = self
        let length = length ?? payload.count
        frames.bytes += [
            UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), kind.rawValue, flags,
        ]
        frames.bytes += (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * $0)) } + payload
        return frames
    }

    static let endStream: UInt8 = 1
    static let endHeaders: UInt8 = 4

    /// `:status: 200`, and with a length `content-length` as a literal without indexing.
    static func head(length: String? = nil) -> [UInt8] {
        guard let length else { return [0x88] }
        return [0x88, 0x0F, 0x0D, UInt8(length.utf8.count)] + Array(length.utf8)
    }

    /// The server's preface, and an acknowledgment of the client's settings.
    static let start = Frames().adding(.settings, stream: 0).adding(.settings, flags: 1, stream: 0)

    /// The same, and a response's head.
    static func answer(length: String? = nil, _ text: String = "part") -> Frames {
        start.adding(.headers, flags: endHeaders, head(length: length)).adding(.data, Array(text.utf8))
    }
}

/// Serves each connection: waits for the client's request, sends the frames, and reads on until the client leaves.
func framePeer(_ frames: Frames, keepsOpen: Bool = true) throws -> Listener {
    let listener = try Listener()
    listener.serve { connection in
        guard connection.readRequest() else { return }
        connection.write(frames.bytes)
        if keepsOpen { connection.drain() }
    }
    return listener
}

extension Listener.Connection {
    /// Reads the preface and frames until a HEADERS frame ended.
    func readRequest() -> Bool { readExactly(24) != nil && readHeaders() }

    /// Reads frames until a HEADERS frame ended.
    func readHeaders() -> Bool {
        while let header = readExactly(9) {
            let length = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
            guard readExactly(length) != nil else { return false }
            if header[3] == Frames.Kind.headers.rawValue { return true }
        }
        return false
    }

    private func readExactly(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var read = 0
        while read < count {
            let got = bytes.withUnsafeMutableBytes {
                receive(into: UnsafeMutableRawBufferPointer(rebasing: $0[read...]))
            }
            guard got > 0 else { return nil }
            read += got
        }
        return bytes
    }

    /// Reads, and forgets, until the client closes.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.withUnsafeMutableBytes({ receive(into: $0) }) > 0 {}
    }
}
