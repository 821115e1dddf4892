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

    /// Whether what a terminal would act on is escaped.
    private var isEscaped: Bool { output.isTerminal && layout != .unchanged }

    func print(_ response: HTTPResponse) async throws(CommandFailure) {
        guard let layout = self.layout(for: response.head) else { return try await copy(response.body) }
        var chunks = response.body.makeAsyncIterator()
        var held = Data()
        while held.count <= Self.layoutLimit, let chunk = try await next(&chunks) { held.append(chunk) }
        if held.count <= Self.layoutLimit, let json = try? JSONText(parsing: held) {
            let text = json.text(layout, colors: colors) + "\n"
            return try await write(Data((isEscaped && colors == .none ? TerminalText.escapedLines(text) : text).utf8))
        }
        var text = TerminalText()
        try await write(held, &text)
        while let chunk = try await next(&chunks) { try await write(chunk, &text) }
        try await write(text.finish())
    }

    private func copy(_ body: HTTPBody) async throws(CommandFailure) {
        var chunks = body.makeAsyncIterator()
        var last: UInt8?
        var text = TerminalText()
        while let chunk = try await next(&chunks) {
            if isEscaped, chunk.contains(0) {
                throw .usage(UsageError("the body is binary, which can garble the terminal; use -o FILE or a pipe"))
            }
            try await write(chunk, &text)
            last = chunk.last
        }
        try await write(text.finish())
        // The shell's prompt should start on a new line.
        if output.isTerminal, let last, last != UInt8(ascii: "\n") { try await write(Data("\n".utf8)) }
    }

    private func next(_ chunks: inout HTTPBody.AsyncIterator) async throws(CommandFailure) -> Data? {
        try await CommandFailure.network { () async throws(NetworkError) in try await chunks.next() }
    }

    private func write(_ chunk: Data, _ text: inout TerminalText) async throws(CommandFailure) {
        try await write(isEscaped ? text.escaped(chunk) : chunk)
    }

    private func write(_ data: Data) async throws(CommandFailure) {
        guard !data.isEmpty else { return }
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
