@testable import GodwitGenerator
import Testing

@Suite("G2 Real OpenAPI documents", .enabled(if: SharedDocument.areThere))
struct SharedDocumentTests {
    @Test(
        "G2 all operations and schemas of a document are read",
        arguments: [
            SharedDocument(name: "petstore.yaml", operations: 19, schemas: 6, schemes: 2, notes: 9),
            SharedDocument(name: "museum.yaml", operations: 8, schemas: 22, schemes: 1, notes: 0),
            SharedDocument(name: "tictactoe.yaml", operations: 3, schemas: 6, schemes: 5, notes: 1),
            SharedDocument(name: "uspto.yaml", operations: 3, schemas: 1, schemes: 0, notes: 0),
            SharedDocument(name: "openai.json", operations: 288, schemas: 1422, schemes: 2, notes: 25),
        ])
    func counts(document: SharedDocument) throws {
        let api = try document.read()
        #expect(api.operations.count == document.operations)
        #expect(api.schemas.count == document.schemas)
        #expect(api.securitySchemes.count == document.schemes)
        #expect(api.notes.count == document.notes)
    }

    @Test("G2 museum: merged schemas, references with words, and examples")
    func museum() throws {
        let api = try SharedDocument(name: "museum.yaml").read()
        #expect(
            try api.short("BuyMuseumTickets")
                == "{email: Email, ticketId: TicketId, ticketDate!: Date, ticketType!: TicketType, eventId: EventId}")
        #expect(try api.property("ticketDate", of: "Ticket").schema.summary?.hasPrefix("Date when") == true)
        #expect(try api.short("SpecialEventCollection") == "[SpecialEvent]")
        let events = try #require(api.operations.first { $0.id == "listSpecialEvents" })
        #expect(events.parameters.map(\.name) == ["startDate", "endDate", "page", "limit"])
        #expect(events.responses.first?.contents.first?.examples.first?.value.elements.count == 10)
        #expect(events.responses.map(\.status) == [.code(200), .code(400), .code(404)])
    }

    @Test("G2 openai: open enumerations, nullable unions, discriminators and recursive schemas")
    func openai() throws {
        let api = try SharedDocument(name: "openai.json").read()
        #expect(try api.schema("ModelIdsShared").enumeration != nil)
        #expect(try api.schema("ResponseStreamEvent").union?.discriminator?.property == "type")
        #expect(try api.short("CompoundFilter").contains("filters!: [(ComparisonFilter | CompoundFilter"))
        let unions = api.schemas.compactMap(\.schema.union)
        #expect(unions.count > 40)
        #expect(unions.filter { $0.discriminator != nil }.count > 30)
    }
}

/// A document next to the repository, with what is in it.
struct SharedDocument: Sendable, CustomTestStringConvertible {
    var name: String
    var operations = 0
    var schemas = 0
    var schemes = 0
    var notes = 0

    var testDescription: String { name }

    /// `shared/data/openapi` in a folder that contains the repository.
    private static let folder: String? = {
        var path = #filePath.split(separator: "/").dropLast()
        while !path.isEmpty {
            let folder = "/" + path.joined(separator: "/") + "/shared/data/openapi"
            if FileManager.default.fileExists(atPath: folder + "/museum.yaml") { return folder }
            path = path.dropLast()
        }
        return nil
    }()

    static var areThere: Bool { folder != nil }

    func read() throws -> APIDescription {
        let data = try Data(contentsOf: URL(fileURLWithPath: (Self.folder ?? "") + "/" + name))
        return try OpenAPIReader.read(SourceFile(name: name, data: data)) { (file) throws(GenerationError) in
            throw GenerationError(.file, "no file `\(file.name)` is expected")
        }
    }
}
