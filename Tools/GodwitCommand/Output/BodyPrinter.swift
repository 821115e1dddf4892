import Godwit

/// The format of JSON in the output.
enum JSONStyle: Sendable {
    /// Pretty on a terminal, otherwise unchanged.
    case automatic
    case pretty, compact, unchanged
}

/// Prints a response body as it arrives. JSON to be formatted is buffered first.
struct BodyPrinter {
    /// Larger JSON is printed unchanged, which bounds memory.
    private static let layoutLimit = 8 << 20

    let output: any OutputSink
    let layout: JSONStyle
    var colors = Colors.none

    /// Whether what a terminal would act on is escaped.
    private var isEscaped: Bool { output.isTerminal && layout != .unchanged }

    /// Prints the body. Returns why JSON was not formatted although an option demands it; `nil` otherwise.
    @discardableResult
    func print(_ response: HTTPResponse) async throws(CommandFailure) -> String? {
        guard let layout = self.layout(for: response.head) else {
            try await copy(response.body)
            return nil
        }
        var chunks = response.body.makeAsyncIterator()
        var held = Data()
        while held.count <= Self.layoutLimit, let chunk = try await next(&chunks) { held.append(chunk) }
        let reason: String
        switch Self.json(in: held) {
        case .success(let json):
            let text = json.text(layout, colors: colors) + "\n"
            try await write(Data((isEscaped && colors == .none ? TerminalText.escapedLines(text) : text).utf8))
            return nil
        case .failure(let obstacle): reason = obstacle.reason
        }
        var text = TerminalText()
        try await write(held, &text)
        while let chunk = try await next(&chunks) { try await write(chunk, &text) }
        try await write(text.finish())
        let isDemanded = self.layout == .pretty || self.layout == .compact
        return isDemanded ? "the body is printed unchanged: it is \(reason)" : nil
    }

    private struct Obstacle: Error {
        let reason: String
    }

    private static func json(in data: Data) -> Result<OrderedJSON, Obstacle> {
        guard data.count <= layoutLimit else {
            return .failure(Obstacle(reason: "larger than \(layoutLimit >> 20) MiB"))
        }
        do throws(JSONSyntaxError) {
            return .success(try OrderedJSON(parsing: data))
        } catch {
            return .failure(Obstacle(reason: "not valid JSON: \(error)"))
        }
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

    private func layout(for head: HTTPResponseHead) -> OrderedJSON.Layout? {
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
