import ContentReaderKit
import Godwit
import GodwitUI
import Observation
import Synchronization

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
///
/// Each part is tracked by itself, so that a change of one doesn't make the others again.
@MainActor
final class StateWriter {
    private typealias Part = (name: String, event: @MainActor () -> Data?)

    private let model: ReaderPageModel
    private var sent: [String: Data] = [:]
    private var articles: [Article] = []
    /// The revision of the list that was sent; `nil` if found articles were.
    private var revision: Int?
    private var hasSentRows = false
    private var parts: [Part] = []
    private let outdated = Outdated()

    nonisolated init(_ model: ReaderPageModel) {
        self.model = model
    }

    /// Waits for a change. `nil` when the browser is gone.
    func next() async -> Data? {
        if parts.isEmpty { prepare() }
        while !Task.isCancelled {
            let events = changedParts()
            if !events.isEmpty { return events }
            await outdated.wait()
            // Changes that come together are sent together.
            try? await Task.sleep(for: .milliseconds(15))
        }
        return nil
    }

    private func prepare() {
        let (model, reader) = (model, model.reader)
        parts = [
            // First: nothing behind an open question can have the focus.
            part("question") { model.question.map(QuestionPart.init) },
            part("account") { AccountPart(reader) }, part("network") { NetworkPart(model) },
            part("changes") { ChangesPart(reader) }, part("news") { NewsPart(reader.news) },
            part("list") { ListPart(reader.list) }, ("rows", { [weak self] in self?.rows() }),
            part("article") { reader.path.last.map(ArticlePart.init) },
            part("editor") {
                reader.showsForm ? reader.form.map { EditorPart($0, number: model.editorNumber) } : nil
            },
        ]
        for part in parts { outdated.insert(part.name) }
    }

    private func changedParts() -> Data {
        var events = Data()
        let names = outdated.takeAll()
        for part in parts where names.contains(part.name) {
            let event = withObservationTracking(part.event) { [outdated] in outdated.insert(part.name) }
            if let event { events += event }
        }
        return events
    }

    private func part(_ name: String, _ value: @escaping @MainActor () -> some Encodable) -> Part {
        (name, { [weak self] in self?.event(name, value()) })
    }

    /// The event of a part; `nil` if its value is the one sent before.
    private func event(_ name: String, _ value: some Encodable) -> Data? {
        guard let data = try? JSONCoding().encode(value), sent[name] != data else { return nil }
        sent[name] = data
        return Self.event(name, data)
    }

    private func rows() -> Data? {
        let list = model.reader.list
        let (articles, revision) = (list.articles, list.isSearching ? nil : list.list.revision)
        // Another page of the same list: the time to find the new rows doesn't depend on how many there were.
        let known = revision != nil && revision == self.revision ? self.articles.count : 0
        let part = RowsPart(articles, after: self.articles, known: known)
        self.revision = revision
        let isSame = part.rows.isEmpty && part.keep + part.tail == self.articles.count
        // Not the list's own array: it would be copied whenever the list grows.
        self.articles.replaceSubrange(
            part.keep..<self.articles.count - part.tail, with: articles[part.keep..<articles.count - part.tail])
        guard !isSame || !hasSentRows, let data = try? JSONCoding().encode(part) else { return nil }
        hasSentRows = true
        return Self.event("rows", data)
    }

    private static func event(_ name: String, _ data: Data) -> Data {
        Data("event: \(name)\ndata: ".utf8) + data + Data("\n\n".utf8)
    }
}

/// The names of the parts to make again.
nonisolated private final class Outdated: Sendable {
    private let names = Mutex<Set<String>>([])
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func insert(_ name: String) {
        names.withLock { _ = $0.insert(name) }
        signal.yield()
    }

    func takeAll() -> Set<String> {
        names.withLock { names in
            defer { names = [] }
            return names
        }
    }

    /// Waits for a name, or the end of the task.
    func wait() async {
        for await _ in signals { return }
    }
}
