import GodwitLibc
import GodwitSupport

/// A blocking HTTP/1.1 connection to a page on this machine.
///
/// It has no engine: a client's transport may be a mock, and its proxy and limits don't apply to the page. Before it sends the
/// token or anything else, what listens has to prove that it is the page.
final class PageConnection {
    let address: PageAddress
    private let descriptor: Int32

    /// Connects. `nil` if nothing listens, or something else than the page.
    init?(_ address: PageAddress) {
        self.address = address
        descriptor = Self.open(address)
        guard descriptor >= 0 else { return nil }
        limitWaits(toSeconds: 5)
        guard isPage() else { return nil }
        // The page answers a wait for commands after 20 seconds at the latest.
        limitWaits(toSeconds: 30)
    }

    /// Whether what listens knows the page's secret.
    private func isPage() -> Bool {
        var generator = SystemRandomNumberGenerator()
        let nonce = Hexadecimal.encode(generator.next(), generator.next())
        guard let answer = exchange("GET", "/proof?nonce=\(nonce)", nil), answer.status == 200 else { return false }
        let proof = address.proof(of: nonce)
        return String(decoding: answer.body, as: UTF8.self).split(separator: "\n").contains { line in
            ConstantTime.areEqual(String(line), proof)
        }
    }

    private func limitWaits(toSeconds seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sends lines of events. Returns whether the page took them.
    func post(_ lines: Data, dropped: Int) -> Bool {
        let target = "\(address.path)ingest?\(Self.program)&dropped=\(dropped)"
        return exchange("POST", target, lines).map { (200..<300).contains($0.status) } ?? false
    }

    /// Waits for the next command. `nil` if the connection ends.
    func nextCommand() -> PageCommand? {
        guard let response = exchange("GET", "\(address.path)commands?\(Self.program)", nil) else { return nil }
        guard response.status == 200 else { return response.status == 204 ? PageCommand() : nil }
        return (try? JSONModelDecoder().decode(PageCommand.self, from: response.body)) ?? PageCommand()
    }

    /// The program's name and process ID, as query items.
    private static let program: String = {
        let name = ProcessInfo.processInfo.arguments.first?.split(separator: "/").last.map(String.init)
        let encoded = PercentEncoding.encode(name ?? "program", allowing: .unreserved)
        return "program=\(encoded)&pid=\(getpid())"
    }()

    private func exchange(_ method: String, _ target: String, _ body: Data?) -> (status: Int, body: Data)? {
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        var writer = HeadWriter()
        writer.startRequest(method, target: target[...])
        writer.field("Host", "\(host):\(address.port)")
        if let body {
            writer.field("Content-Type", "application/x-ndjson")
            writer.field("Content-Length", "\(body.count)")
        }
        writer.endHead()
        body?.withUnsafeBytes { writer.content($0) }
        guard writer.bytes.withUnsafeBytes({ Descriptor.send($0, to: descriptor) }) else { return nil }
        return receive()
    }

    /// Reads a response with a length. Bounded: the page's answers are small.
    private func receive() -> (status: Int, body: Data)? {
        var (reader, response) = (ResponseHeadReader(), (head: HTTP1ResponseHead?.none, body: Data()))
        while true {
            if let head = response.head {
                let length = head.contentLength ?? 0
                guard !head.isChunked, length <= 1 << 20 else { return nil }
                if response.body.count >= length { return (head.status.code, response.body) }
            }
            guard let piece = read() else { return nil }
            let isValid = piece.withUnsafeBytes { bytes in
                var rest = bytes
                if response.head == nil {
                    switch reader.read(&rest) {
                    case .incomplete: return true
                    case .complete(let head): response.head = head
                    case .interim, .invalid, .tooLarge: return false
                    }
                }
                response.body.append(contentsOf: rest)
                return true
            }
            guard isValid else { return nil }
        }
    }

    private func read() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? Data(buffer.prefix(count)) : nil
        }
    }

    private static func open(_ address: PageAddress) -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = StreamSocket.type
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, String(address.port), &hints, &found) == 0, let found else { return -1 }
        defer { freeaddrinfo(found) }
        let info = found.pointee
        let descriptor = StreamSocket.open(info.ai_family)
        guard descriptor >= 0 else { return -1 }
        guard connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
            close(descriptor)
            return -1
        }
        return descriptor
    }
}
