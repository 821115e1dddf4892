import Godwit

/// The format of JSON in the output.
enum JSONLayout: Sendable {
    /// Pretty on a terminal, otherwise unchanged.
    case automatic
    case pretty, compact, unchanged
}

/// Prints a response body as it arrives. JSON to be formatted is buffered first.
struct BodyPrinter {
    /// Larger JSON is printed unchanged, which bounds memory.
    private static let layoutLimit = 8 << 20

    let output: any OutputSink
    let layout: JSONLayout
    var colors = Colors.none

    func print(_ response: HTTPResponse) async throws(CommandFailure) {
        guard let layout = self.layout(for: response.head) else { return try await copy(response.body) }
        var chunks = response.body.makeAsyncIterator()
        var held = Data()
        while held.count <= Self.layoutLimit, let chunk = try await next(&chunks) { held.append(chunk) }
        held = harmless(held)
        if held.count <= Self.layoutLimit, let json = try? JSONText(parsing: held) {
            return try await write(Data((json.text(layout, colors: colors) + "\n").utf8))
        }
        try await write(held)
        while let chunk = try await next(&chunks) { try await write(harmless(chunk)) }
    }

    private func copy(_ body: HTTPBody) async throws(CommandFailure) {
        var chunks = body.makeAsyncIterator()
        var last: UInt8?
        while let chunk = try await next(&chunks) {
            if output.isTerminal, chunk.contains(0) {
                throw .usage(UsageError("the body is binary, which can garble the terminal; use -o FILE or a pipe"))
            }
            try await write(harmless(chunk))
            last = chunk.last
        }
        // The shell's prompt should start on a new line.
        if output.isTerminal, let last, last != UInt8(ascii: "\n") { try await write(Data("\n".utf8)) }
    }

    private func next(_ chunks: inout HTTPBody.AsyncIterator) async throws(CommandFailure) -> Data? {
        try await CommandFailure.network { () async throws(NetworkError) in try await chunks.next() }
    }

    /// A body for a terminal, without what could move its cursor or set its title.
    private func harmless(_ data: Data) -> Data {
        output.isTerminal ? TerminalText.safe(data) : data
    }

    private func write(_ data: Data) async throws(CommandFailure) {
        do throws(OutputError) {
            try await output.write(data)
        } catch {
            throw .output(error)
        }
    }

    private func layout(for head: HTTPResponseHead) -> JSONText.Layout? {
        guard head.fields[.contentType].flatMap(MediaType.init(_:))?.isJSON == true else { return nil }
        if layout == .automatic, colors != .none { return .pretty }
        switch layout {
        case .automatic: return output.isTerminal ? .pretty : nil
        case .pretty: return .pretty
        case .compact: return .compact
        case .unchanged: return nil
        }
    }
}
