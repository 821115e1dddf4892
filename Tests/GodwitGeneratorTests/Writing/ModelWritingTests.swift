@testable import GodwitGenerator
import Testing

@Suite("G2 Models")
struct ModelWritingTests {
    @Test("G2 a struct has an initializer, nested enums and an id; keys in snake case need no coding keys")
    func structure() throws {
        var title = Schema.text
        title.summary = "The headline.\nUp to 80 characters."
        let article = Schema.object(
            .required("id", .integer), .required("title", title), .optional("author_id", .integer),
            .required("status", .choice("draft", "in_review")),
            .optional("published_at", Schema(.string(format: "date-time"))))
        #expect(
            try APIDescription.of(("Article", article)).text(of: "Models/Article.swift") == """
                public import Godwit

                nonisolated public struct Article: Codable, JSONReadable, Sendable, Hashable, Identifiable {
                    public var id: Int
                    /// The headline.
                    /// Up to 80 characters.
                    public var title: String
                    public var authorId: Int?
                    public var status: Open<Status>
                    public var publishedAt: Date?

                    public init(id: Int, title: String, authorId: Int? = nil, status: Open<Status>, publishedAt: Date? = nil) {
                        self.id = id
                        self.title = title
                        self.authorId = authorId
                        self.status = status
                        self.publishedAt = publishedAt
                    }

                    public init(json: inout JSONObjectReader) throws {
                        self.id = try json.read("id")
                        self.title = try json.read("title")
                        self.authorId = try json.read("authorId")
                        self.status = try json.read("status")
                        self.publishedAt = try json.read("publishedAt")
                    }

                    nonisolated public enum Status: String, Codable, Sendable, Hashable, CaseIterable {
                        case draft
                        case inReview = "in_review"
                    }
                }

                """)
    }

    @Test("G2 coding keys are written only for types whose keys differ, if the API mixes spellings")
    func codingKeys() throws {
        let description = APIDescription.of(
            ("Mixed", .object(.required("e-mail", .text), .required("author_id", .text), .required("name", .text))),
            ("Plain", .object(.required("name", .text))))
        let mixed = try description.text(of: "Models/Mixed.swift")
        #expect(
            mixed.contains(
                """
                    nonisolated private enum CodingKeys: String, CodingKey {
                        case eMail = "e-mail"
                        case authorId = "author_id"
                        case name
                    }
                """))
        #expect(try !description.text(of: "Models/Plain.swift").contains("CodingKeys"))
    }

    @Test("G2 names that Swift or Godwit has are avoided")
    func reserved() throws {
        let description = APIDescription.of(
            (
                "Error",
                .object(.required("type", .choice("a", "b")), .required("init", .text), .required("default", .text))
            ),
            ("error", .object(.required("data", .object(.required("x", .text))), .optional("code", .text))))
        let files = try Generator().generation(of: description).files.map(\.path).filter { $0.contains("Models/") }
        #expect(
            files
                == ["SampleError.swift", "SampleError2+DataValue.swift", "SampleError2.swift"].map {
                    "Sources/Sample/Models/" + $0
                })
        let text = try description.text(of: "Models/SampleError.swift")
        #expect(text.contains("public var type: Open<Kind>"))
        #expect(text.contains("public var init2: String"))
        #expect(text.contains("public var `default`: String"))
    }

    @Test("G2 a required member that can be null is sent as null")
    func sentNull() throws {
        let draft = Schema.object(.required("title", .text), .required("note", .text.nullable), .optional("tag", .text))
        let description = APIDescription.of(
            ("Draft", draft), operations: [.init("POST", "/drafts", sending: .reference("Draft"))])
        let text = try description.text(of: "Models/Draft.swift")
        #expect(text.contains("try container.encode(self.note, forKey: .note)"))
        #expect(text.contains("try container.encodeIfPresent(self.tag, forKey: .tag)"))
    }

    @Test("G2 a union with a discriminator decodes by it; another value is kept")
    func discriminated() throws {
        let pet = Schema.union(
            .reference("Cat"), .reference("Dog"),
            by: .init(property: "kind", values: [.init(value: "cat", member: 0), .init(value: "dog", member: 1)]))
        let description = APIDescription.of(
            ("Pet", pet), ("Cat", .object(.required("kind", .choice("cat")))),
            ("Dog", .object(.required("kind", .choice("dog")))))
        let text = try description.text(of: "Models/Pet.swift")
        #expect(text.contains("case cat(Cat)"))
        #expect(text.contains("case unknown(JSONValue)"))
        #expect(text.contains("switch try tags.decodeIfPresent(String.self, forKey: .value) {"))
        #expect(text.contains("self = .dog(try container.decode(Dog.self))"))
        #expect(try description.text(of: "Models/Cat.swift").contains("public init(kind: String = \"cat\") {"))
    }

    @Test("G2 a union without a discriminator chooses objects by their members, then tries strict shapes first")
    func untagged() throws {
        let value = Schema.union(
            .text, .integer, Schema(.number(format: nil)), .object(.optional("a", .text)),
            .object(.required("a", .text), .required("b", .text)), .array(.text))
        let text = try APIDescription.of(("Value", value)).text(of: "Models/Value.swift")
        let order = text.split(separator: "\n").filter { $0.contains("try? container.decode(") }.map { line in
            line.split(separator: "(")[1].split(separator: ".self")[0]
        }
        #expect(order.suffix(4) == ["[String]", "Int", "Double", "String"])
        #expect(text.contains("shapes.add((try? container.decode(Variant5.self)).map(Self.variant5), [\"a\", \"b\"])"))
        #expect(text.contains("shapes.add((try? container.decode(Variant4.self)).map(Self.variant4), [\"a\"])"))
    }

    @Test("G2 a type that contains itself gets a box, but not through an array")
    func recursion() throws {
        let node = Schema.object(
            .optional("parent", .reference("Node")), .required("children", .array(.reference("Node"))))
        let text = try APIDescription.of(("Node", node)).text(of: "Models/Node.swift")
        #expect(text.contains("public var parent: Indirect<Node>?"))
        #expect(text.contains("public var children: [Node]"))
        #expect(
            try APIDescription.of(("Node", node)).text(of: "Support/Indirect.swift").contains("indirect enum Indirect"))
    }

    @Test("G2 unions of unions that contain themselves are indirect")
    func recursiveUnion() throws {
        let filter = Schema.union(
            .object(.required("not", .reference("Filter"))), .object(.required("all", .array(.reference("Filter")))))
        let text = try APIDescription.of(("Filter", filter)).text(of: "Models/Filter.swift")
        #expect(text.contains("public indirect enum Filter"))
    }

    @Test("G2 read-only members are in the type of responses, write-only ones in the draft")
    func directions() throws {
        var id = Schema.Property.required("id", .integer)
        id.isReadOnly = true
        var password = Schema.Property.required("password", .text)
        password.isWriteOnly = true
        let user = Schema.object(id, password, .required("name", .text))
        let description = APIDescription.of(
            ("User", user),
            operations: [.init("POST", "/users", sending: .reference("User"), returning: .reference("User"))])
        let whole = try description.text(of: "Models/User.swift")
        #expect(whole.contains("var id: Int") && !whole.contains("password"))
        let draft = try description.text(of: "Models/UserDraft.swift")
        #expect(!draft.contains("var id") && draft.contains("var password: String"))
    }

    @Test("G2 a PATCH in which nothing is required changes only what is set")
    func change() throws {
        let fields = Schema.object(.optional("title", .text), .optional("note", .text.nullable))
        let description = APIDescription.of(
            ("Article", fields),
            operations: [
                .init("PATCH", "/articles/{id}", sending: .reference("Article"), returning: .reference("Article"))
            ])
        let text = try description.text(of: "Models/ArticleChange.swift")
        #expect(text.contains("public init(title: Patch<String> = .absent, note: Patch<String> = .absent) {"))
    }

    @Test("G2 a type that is only the body of a PATCH keeps its name")
    func changeOnly() throws {
        let description = APIDescription.of(
            ("ArticleFields", .object(.optional("title", .text))),
            operations: [.init("PATCH", "/articles/{id}", sending: .reference("ArticleFields"))])
        #expect(try description.text(of: "Models/ArticleFields.swift").contains("title: Patch<String> = .absent"))
    }

    @Test("G2 other members of a known type are kept")
    func additional() throws {
        let labels = Schema.object(.required("name", .text), additional: .integer)
        let text = try APIDescription.of(("Labels", labels)).text(of: "Models/Labels.swift")
        #expect(text.contains("public var additionalProperties: [String: Int]"))
        #expect(text.contains("let known: Set<String> = [\"name\"]"))
    }

    @Test("G2 a document can't leave its comments or literals")
    func hostile() throws {
        var name = Schema.text
        name.summary = "*/ } \u{0} \"\"\" \\(x)\r\nlet evil = 1\u{2028}fatalError()\u{85}x"
        let model = Schema.object(
            .required("a\"b\\(c)\n", name), .required("kind", .choice("\"; fatalError() //", "\n")))
        let text = try APIDescription.of(("Model", model)).text(of: "Models/Model.swift")
        #expect(text.contains(#"= "a\"b\\(c)\n""#))
        #expect(text.contains(#"= "\"; fatalError() //""#))
        for line in text.split(whereSeparator: \.isNewline) where line.contains("evil") || line.contains("fatalError()")
        {
            #expect(line.contains("///") || line.contains("case "))
        }
    }

    @Test("G2 internal access leaves out `public`")
    func access() throws {
        let text = try APIDescription.of(("Day", .object(.required("day", Schema(.string(format: "date"))))))
            .text(of: "Support/Day.swift") { $0.access = .internal }
        #expect(!text.contains("public"))
    }
}
