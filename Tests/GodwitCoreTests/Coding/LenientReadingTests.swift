import GodwitCore
import Testing

@Suite("E8 lenient reading, envelopes and patches", .timeLimit(.minutes(15)))
struct LenientReadingTests {
    private let coding = JSONCoding()

    private func read<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try coding.decode(type, from: Data(json.utf8))
    }

    enum Untitled: DefaultSource {
        static var value: String { "Untitled" }
    }

    struct Note: Decodable, Equatable {
        @Default<Untitled> var title: String
        @DefaultEmpty var tags: [String]
        @DefaultEmpty var labels: [String: Int]
    }

    @Test("E8 a missing value and null take the default", arguments: [#"{}"#, #"{"title":null,"tags":null}"#])
    func defaults(json: String) throws {
        let note = try read(Note.self, json)
        #expect(note.title == "Untitled")
        #expect(note.tags.isEmpty)
        #expect(note.labels.isEmpty)
    }

    @Test("E8 an existing value is used, and a wrong one is an error")
    func defaultsDoNotHide() throws {
        #expect(try read(Note.self, #"{"title":"A","tags":["b"]}"#).tags == ["b"])
        #expect(throws: NetworkError.self) { try read(Note.self, #"{"tags":3}"#) }
    }

    struct Draft: Decodable, Equatable, JSONReadable {
        @Default<Untitled> var title: String
        var summary: Patch<String>
        @NumberOrString var price: Double

        init(json: inout JSONObjectReader) throws {
            _title = try json.read("title")
            summary = try json.read("summary")
            _price = try json.read("price")
        }
    }

    @Test("E8 a model that reads JSON itself knows defaults, patches and numbers in strings")
    func readable() throws {
        let drafts = try read(
            [Draft].self,
            #"[{"price":"4.5"},{"title":null,"summary":null,"price":3},{"price":1,"summary":"s","title":"t"}]"#)
        #expect(drafts.map(\.title) == ["Untitled", "Untitled", "t"])
        #expect(drafts.map(\.summary) == [.absent, .null, .value("s")])
        #expect(drafts.map(\.price) == [4.5, 3, 1])
        #expect(throws: NetworkError.self) { try read(Draft.self, #"{"title":3,"price":1}"#) }
        #expect(throws: NetworkError.self) { try read(Draft.self, #"{"summary":3,"price":1}"#) }
    }

    struct Priced: Codable, Equatable {
        @NumberOrString var id: String
        @NumberOrString var price: Double
    }

    @Test(
        "E8 a number may be a string and a string a number",
        arguments: [
            (#"{"id":42,"price":"4.5"}"#, "42", 4.5), (#"{"id":"42","price":4.5}"#, "42", 4.5),
            (#"{"id":18446744073709551615,"price":3}"#, "18446744073709551615", 3),
            (#"{"id":1.5,"price":"3"}"#, "1.5", 3),
        ])
    func numberOrString(json: String, id: String, price: Double) throws {
        let priced = try read(Priced.self, json)
        #expect(priced.id == id)
        #expect(priced.price == price)
    }

    @Test("E8 any other value is an error that says so")
    func neither() throws {
        let error = try #require(throws: NetworkError.self) { try read(Priced.self, #"{"id":"a","price":"dear"}"#) }
        #expect(error.description == #"field `price`: expected a number or a string with one, found "dear""#)
    }

    struct Feed: Decodable {
        @LossyArray var articles: [Article]
    }

    @Test("E8 a lossy list reports what it dropped")
    func lossy() throws {
        let feed = try read(
            Feed.self,
            #"{"articles":[{"id":1,"title":"a"},{"id":"x","title":"b"},null,{"id":4},[{}],{"id":6,"title":"f"}]}"#)
        #expect(feed.articles.map(\.id) == [1, 6])
        #expect(feed.$articles.map(\.index) == [1, 2, 3, 4])
        #expect(feed.$articles.first?.failure.path == "articles[1].id")
        #expect(
            feed.$articles[2].failure == .init(path: "articles[3].title", reason: "expected a value, found nothing"))
    }

    @Test("E8 a missing lossy list is an error")
    func missing() {
        #expect(throws: NetworkError.self) { try read(Feed.self, "{}") }
    }

    struct ArticlePatch: Codable, Equatable {
        var title: Patch<String> = .absent
        var subtitle: Patch<String> = .absent
        var views: Patch<Int> = .absent
    }

    @Test(
        "E8 a patch distinguishes absent, null and a value, both ways",
        arguments: [
            (ArticlePatch(), "{}"),
            (ArticlePatch(subtitle: .null), #"{"subtitle":null}"#),
            (ArticlePatch(views: .value(3)), #"{"views":3}"#),
            (ArticlePatch(title: Patch("a")), #"{"title":"a"}"#),
            (ArticlePatch(title: Patch(nil)), #"{"title":null}"#),
        ])
    func patch(patch: ArticlePatch, json: String) throws {
        #expect(String(decoding: try coding.encode(patch), as: UTF8.self) == json)
        #expect(try read(ArticlePatch.self, json) == patch)
    }

    struct PageInfo: Decodable, Sendable { var total: Int }

    @Test("E8 an envelope has a value and its metadata")
    func envelope() async throws {
        let api = articles(ScriptedTransport(200, #"{"data":[{"id":1,"title":"a"}],"meta":{"total":9}}"#))
        let envelope = try await api.send(Endpoint<Envelope<[Article], PageInfo>>.get("articles"))
        #expect(envelope.data.map(\.id) == [1])
        #expect(envelope.meta.total == 9)
    }

    @Test(
        "E8 a value is unwrapped from its envelope",
        arguments: [
            ("data", #"{"data":{"id":1,"title":"a"}}"#),
            ("result.items", #"{"result":{"items":{"id":1,"title":"a"}}}"#),
            ("response_data", #"{"response_data":{"id":1,"title":"a"}}"#),
        ])
    func unwrapping(path: String, json: String) async throws {
        for keys in [JSONKeys.asWritten, .snakeCase] {
            let api = articles(ScriptedTransport(200, json)) { $0.json = JSONCoding(keys: keys) }
            #expect(try await api.send(.article(id: 1).unwrapping(path)).id == 1)
        }
    }

    @Test("E8 a missing last member is nil for an optional value, and an error for another, which null can be")
    func missing() async throws {
        for json in [#"{"result":{}}"#, #"{"result":{"items":null}}"#] {
            let api = articles(ScriptedTransport(200, json))
            #expect(try await api.send(Endpoint<[Article]?>.get("articles").unwrapping("result.items")) == nil)
        }
        let api = articles(ScriptedTransport(200, #"{"result":{}}"#))
        let other = await api.failure(of: Endpoint<JSONValue>.get("articles").unwrapping("result.items"))
        #expect(other?.shortDescription == "decoding")
        let above = await api.failure(of: Endpoint<[Article]?>.get("articles").unwrapping("data.items"))
        #expect(above?.shortDescription == "decoding")
    }

    @Test(
        "E8 an empty envelope is an error with the path",
        arguments: [#"{"result":{}}"#, #"{"result":{"items":{"id":1}}}"#])
    func emptyEnvelope(json: String) async throws {
        let error = await articles(ScriptedTransport(200, json)).failure(of: .article(id: 1).unwrapping("result.items"))
        guard case .decoding(let failure)? = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.path.hasPrefix("result.items"))
    }
}
