import Glibc
import Godwit
import GodwitSupport
import GodwitTesting

/// An HTTP/1.1 server that answers before it has the whole request; the same paths as the HTTP/2 peer's.
///
/// - `/talk`: answers each line, a number, with the next number. After `turns` of them it ends the answer, and closes with `close`.
/// - `/deaf`: answers with one line, and never reads the request's body.
/// - `/gush`: answers without an end, and reads the request's body at the same time.
/// - `/early`: a whole answer with `status`; then reads on with `reading`, or closes with `close`.
package final class DuplexServer: Sendable {
    package struct Count: Sendable {
        /// Bytes of requests to `/gush`.
        package var received = 0
        /// Bytes written of answers from `/gush`.
        package var written = 0
    }

    /// `http://127.0.0.1:port`.
    package var origin: String { "\(listener.url.origin)" }
    /// What all of its connections carried.
    package var count: Count { counted.value }

    private let listener: Listener
    private let counted = Watched(Count())

    package init() throws {
        listener = try Listener()
        listener.serve { [counted] connection in
            while let head = connection.readHead(), let target = head.split(separator: " ").dropFirst().first,
                let url = try? HTTPURL("http://localhost\(target)"),
                Conversation(connection, url, counted).run()
            {}
        }
    }
}

private struct Conversation {
    let connection: Listener.Connection
    let url: HTTPURL
    let counted: Watched<DuplexServer.Count>

    init(_ connection: Listener.Connection, _ url: HTTPURL, _ counted: Watched<DuplexServer.Count>) {
        (self.connection, self.url, self.counted) = (connection, url, counted)
    }

    private func query(_ name: String) -> String? {
        let items = (url.query ?? "").split(separator: "&").map { $0.split(separator: "=") }
        return items.first { $0.first.map(String.init) == name }?.last.map(String.init)
    }

    /// Whether the connection serves another request.
    func run() -> Bool {
        switch url.path {
        case "/talk": return talk(turns: query("turns").flatMap { Int($0) } ?? 0)
        case "/deaf":
            begin("200")
            write("hello\n")
            connection.waitUntilPeerLeaves()
            return false
        case "/gush":
            gush()
            return false
        case "/early":
            begin(query("status") ?? "200")
            write("early")
            connection.write("0\r\n\r\n")
            return afterEnd()
        default:
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            return true
        }
    }

    private func talk(turns: Int) -> Bool {
        begin("200")
        while let chunk = readChunk(), let text = chunk {
            guard let number = Int(text.filter { $0 != "\n" }) else { return false }
            write("\(number + 1)\n")
            if number + 1 == turns {
                connection.write("0\r\n\r\n")
                return afterEnd()
            }
        }
        connection.write("0\r\nX-End: over\r\n\r\n")
        return true
    }

    private func gush() {
        begin("200")
        let writer = SystemThread { [connection, counted] in
            let chunk = Data("4000\r\n".utf8) + Data(count: 0x4000) + Data("\r\n".utf8)
            while connection.write(chunk) { counted.update { $0.written += 0x4000 } }
        }
        while let chunk = readChunk(), let text = chunk { counted.update { $0.received += text.utf8.count } }
        connection.end()
        writer?.join()
    }

    /// The answer is complete, and the request isn't. Whether the connection serves another request.
    private func afterEnd() -> Bool {
        if query("reading") != nil {
            while let chunk = readChunk() {
                if chunk == nil { return true }
            }
            return false
        }
        // With bytes unread, a close would be a reset, and could take the answer with it.
        if query("close") != nil { shutdown(connection.descriptor, Int32(SHUT_WR)) }
        while connection.readText(1) != nil {}
        return false
    }

    private func begin(_ status: String) {
        let fields = query("close") == nil ? "" : "Connection: close\r\n"
        connection.write("HTTP/1.1 \(status) \r\nTransfer-Encoding: chunked\r\n\(fields)\r\n")
    }

    private func write(_ text: String) {
        connection.write("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }

    /// The next chunk; nil within for the last one, and nil at the end of the connection.
    private func readChunk() -> String?? {
        guard let line = connection.readLine(), let size = Int(line, radix: 16) else { return nil }
        guard let text = connection.readText(size), connection.readLine() != nil else { return nil }
        return .some(size == 0 ? nil : text)
    }
}

extension Listener.Connection {
    /// The next line, without its ending.
    fileprivate func readLine() -> String? { readText(through: "\r\n").map { String($0.dropLast()) } }

    fileprivate func readText(_ count: Int) -> String? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard count == 0 || recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
