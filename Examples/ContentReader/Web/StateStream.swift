import ContentReaderKit
import Godwit
import Observation

/// The state of the screens as server-sent events: all of it first, then the parts that change.
nonisolated struct StateStream: AsyncSequence, Sendable {
    typealias Element = Data

    struct Iterator: AsyncIteratorProtocol {
        let writer: StateWriter

        mutating func next() async throws -> Data? { await writer.next() }
    }

    let writer: StateWriter

    func makeAsyncIterator() -> Iterator { Iterator(writer: writer) }
}

/// Writes the parts of the state that changed since the last time, for one browser.
@MainActor
final class StateWriter {
    private let model: ReaderPageModel
    private var sent: [String: Data] = [:]
    private var articles: [ListPart.Shown] = []

    nonisolated init(_ model: ReaderPageModel) {
        self.model = model
    }

    /// Waits for a change. `nil` when the browser is gone.
    func next() async -> Data? {
        while !Task.isCancelled {
            let (changes, tell) = AsyncStream.makeStream(of: Void.self)
            let events = withObservationTracking({ changedParts() }, onChange: { tell.yield() })
            if !events.isEmpty { return events }
            for await _ in changes { break }
            // Changes that come together are sent together.
            try? await Task.sleep(for: .milliseconds(15))
        }
        return nil
    }

    private func changedParts() -> Data {
        let reader = model.reader
        var events = Data()
        add("account", AccountPart(reader.account), to: &events)
        add("network", NetworkPart(model), to: &events)
        add("changes", ChangesPart(reader), to: &events)
        add("news", NewsPart(reader.news), to: &events)
        let articles = reader.shownArticles
        add("list", ListPart(reader.list, articles, after: self.articles), to: &events)
        self.articles = articles
        add("article", reader.path.last.map(ArticlePart.init), to: &events)
        add("editor", reader.form.map { EditorPart($0, number: model.editorNumber) }, to: &events)
        return events
    }

    /// Adds an event if its value isn't the one sent before.
    private func add(_ name: String, _ value: some Encodable, to events: inout Data) {
        guard let data = try? JSONCoding().encode(value), sent[name] != data else { return }
        sent[name] = data
        events += Data("event: \(name)\ndata: ".utf8) + data + Data("\n\n".utf8)
    }
}
