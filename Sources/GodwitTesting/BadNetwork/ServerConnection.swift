import GodwitCore
import GodwitLibc

/// The server's side of one connection. Its functions block, and only its thread calls them.
final class ServerConnection {
    /// From 1, in the order in which the server accepted.
    let number: Int
    private let socket: Socket
    private let state: Watched<BadServer.State>
    private var unread: [UInt8] = []

    /// A request head.
    struct Head {
        let method: String
        let path: String
        /// The length of the body; `nil` if it is chunked.
        let length: Int?
    }

    init(_ number: Int, _ socket: Socket, _ state: Watched<BadServer.State>) {
        self.number = number
        self.socket = socket
        self.state = state
    }

    /// Reads the next head and notes it; `nil` at the end of the connection.
    func readHead() -> Head? {
        guard let text = read(through: "\r\n\r\n", limit: 256 << 10) else { return nil }
        let lines = text.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        let fields = lines.dropFirst().map { $0.lowercased() }
        let isChunked = fields.contains { $0.hasPrefix("transfer-encoding:") }
        let length = fields.first { $0.hasPrefix("content-length:") }.flatMap { field in
            Int(field.dropFirst("content-length:".count).filter { $0 != " " })
        }
        state.update { $0.requests.append("\(words[0]) \(words[1])") }
        return Head(method: String(words[0]), path: String(words[1]), length: isChunked ? nil : length ?? 0)
    }

    /// Reads a head and its body; `nil` at the end of the connection.
    func readRequest() -> Head? {
        guard let head = readHead(), readBody(of: head) else { return nil }
        return head
    }

    /// Whether the whole body came.
    func readBody(of head: Head) -> Bool {
        guard let length = head.length else { return read(through: "0\r\n\r\n", limit: 64 << 20) != nil }
        return readBody(atLeast: length)
    }

    /// Whether so many bytes of the body came.
    func readBody(atLeast length: Int) -> Bool {
        while unread.count < length {
            guard receive() else { return false }
        }
        unread.removeFirst(length)
        return true
    }

    /// Writes text; `false` if the connection has ended.
    @discardableResult
    func write(_ text: String) -> Bool { socket.write(Data(text.utf8)) }

    /// Writes a complete response with this body.
    @discardableResult
    func respond(_ body: String) -> Bool {
        write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Writes the text repeatedly until the client leaves, at most 64 MiB.
    func repeatUntilClosed(_ text: String, every milliseconds: Int32 = 0) {
        for _ in 0..<((64 << 20) / max(1, text.utf8.count)) {
            guard write(text) else { return }
            if milliseconds > 0 { pause(milliseconds) }
        }
        waitForClose()
    }

    /// Ends the server's direction, then reads until the client closes.
    func endAndWaitForClose() {
        socket.endSending()
        waitForClose()
    }

    /// Ends the server's direction. What arrives later resets the connection.
    func endWithoutReading() { socket.endSending() }

    /// Reads until the client closes.
    func waitForClose() {
        repeat { unread.removeAll(keepingCapacity: true) } while receive()
    }

    /// Waits until the client closes, and reads nothing.
    func stall() { socket.waitForHangUp() }

    /// Makes the end of the script a reset.
    func reset() { socket.resetOnClose() }

    func pause(_ milliseconds: Int32) { _ = poll(nil, 0, milliseconds) }

    private func receive() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            let count = socket.read(into: buffer)
            unread.append(contentsOf: buffer[..<count])
            return count > 0
        }
    }

    /// Everything through the end marker; `nil` if the connection ends first, or after so many bytes.
    private func read(through end: String, limit: Int) -> String? {
        let marker = Array(end.utf8)
        var searched = 0
        while true {
            var index = searched
            while index + marker.count <= unread.count {
                if unread[index] == marker[0], unread[index..<(index + marker.count)].elementsEqual(marker) {
                    defer { unread.removeFirst(index + marker.count) }
                    return String(decoding: unread[..<index], as: UTF8.self)
                }
                index += 1
            }
            searched = index
            guard unread.count < limit, receive() else { return nil }
        }
    }
}
