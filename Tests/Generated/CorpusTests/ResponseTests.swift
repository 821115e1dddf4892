import Corpus
import Foundation
import Godwit
import GodwitTesting
import Testing

/// What generated endpoints make of responses.
@Suite("Responses of generated endpoints")
struct ResponseTests {
    private func client(_ reply: MockResponse) -> APIClient {
        APIClient(
            baseURL: "https://mock.example.com", transport: MockTransport { $0.any("*").reply(reply) },
            configure: { $0.retry.maximumAttempts = 1 })
    }

    private func json(_ text: String, _ status: HTTPStatus = .ok) -> MockResponse {
        .bytes(Data(text.utf8), contentType: "application/json", status: status)
    }

    @Test("a success without a body is nil")
    func noContent() async throws {
        let none = try await client(.status(204)).send(.readJobIfAny(id: "1"))
        #expect(none == nil)
        let job = try await client(json(#"{"id":"1"}"#)).send(.readJobIfAny(id: "1"))
        #expect(job == NoContentJob(id: "1"))
        let accepted = try await client(.status(202)).send(.nextJob)
        #expect(accepted == nil)
        let list = try await client(.status(204)).send(.listJobsIfAny)
        #expect(list == nil)
        let null = try await client(json("null")).send(.jobOrNull)
        #expect(null == nil)
        try await client(json("{")).send(.dropJobs)
    }

    @Test("successes with different bodies are told apart by the status")
    func byStatus() async throws {
        #expect(try await client(json(#"{"id":"1"}"#, .created)).send(.placeOrder) == .created(Order(id: "1")))
        let ticket = OrderTicket(ticket: "t")
        #expect(try await client(json(#"{"ticket":"t"}"#, .accepted)).send(.placeOrder) == .accepted(ticket))
        #expect(try await client(.status(206)).send(.placeOrder) == .unknown(status: 206, body: Data()))
        #expect(try await client(.status(204)).send(.ordersOrTicket) == .noContent)
        #expect(try await client(json(#"{"ticket":"t"}"#, .accepted)).send(.ordersByRange) == .other(ticket))
        #expect(try await client(json(#"{"id":"1"}"#)).send(.orderByDefault) == Order(id: "1"))
    }

    @Test("text in JSON loses its quotes")
    func text() async throws {
        #expect(try await client(json(#""a""#)).send(.readFailing) == "a")
    }

    @Test("a tag that a variant doesn't declare is written")
    func tags() throws {
        let coding = UndeclaredTagsAPI.coding
        let cat = TaggedPet.cat(TaggedCat(lives: 9))
        let written = try JSONCoding().decode(JSONValue.self, from: coding.encode(cat))
        #expect(written == ["pet_type": "cat", "lives": 9])
        let data = Data(#"{"pet_type":"cat","lives":9}"#.utf8)
        #expect(try coding.decode(TaggedPet.self, from: data) == .cat(TaggedCat(lives: 9)))
        #expect(
            String(decoding: try coding.encode(TaggedPet.dog(TaggedDog())), as: UTF8.self) == #"{"pet_type":"dog"}"#)
    }

    @Test("a union of optional members is the shape whose members are there, and keeps what none knows")
    func unions() throws {
        let coding = OptionalShapesAPI.coding
        func shape(_ json: String) throws -> OptionalShape {
            try coding.decode(OptionalShape.self, from: Data(json.utf8))
        }
        #expect(try shape(#"{"iban":"1"}"#) == .bank(OptionalBank(iban: "1")))
        #expect(try shape(#"{"number":"1","name":"n"}"#) == .card(OptionalCard(number: "1", name: "n")))
        #expect(try shape(#"{"x":1}"#) == .unknown(["x": 1]))
        let both = try coding.decode(AnyOptionalShape.self, from: Data(#"{"iban":"1","number":"2"}"#.utf8))
        #expect(both == .several([.optionalCard(OptionalCard(number: "2")), .optionalBank(OptionalBank(iban: "1"))]))
        #expect(String(decoding: try coding.encode(both), as: UTF8.self) == #"{"iban":"1","number":"2"}"#)
    }

    @Test("a base with a discriminator is one of its children")
    func hierarchy() throws {
        let json = Data(#"{"kind":"car","owner":"Ann","doors":4}"#.utf8)
        #expect(try SpringBaseAPI.coding.decode(Vehicle.self, from: json) == .car(VehicleCar(owner: "Ann", doors: 4)))
        let plain = try SpringBaseAPI.coding.decode(Vehicle.self, from: Data(#"{"kind":"plain","owner":"A"}"#.utf8))
        #expect(plain == .base(VehicleBase(owner: "A")))
    }

    @Test("members that the document doesn't name are kept and sent")
    func openMembers() throws {
        let coding = OpenMembersAPI.coding
        let json = #"{"id":"1","note":null,"color":"red","depth":{"m":[1,2.50]}}"#
        let record = try coding.decode(OpenRecord.self, from: Data(json.utf8))
        #expect(record.id == "1" && record.additionalProperties["color"] == "red")
        let sent = try JSONCoding().decode(JSONValue.self, from: coding.encode(record))
        #expect(sent["color"] == "red" && sent["depth"] == ["m": [1, 2.50]] && sent["id"] == "1")
        let child = try coding.decode(OpenChild.self, from: Data(#"{"id":"1","age":2,"x":true}"#.utf8))
        #expect(child.age == 2 && child.additionalProperties == ["x": true])
        let other = try coding.decode(ReadOpenEitherResponse.self, from: Data(#"{"weight":2,"x":true}"#.utf8))
        #expect(other == .other(OpenOther(weight: 2, additionalProperties: ["x": true])))
    }

    @Test(
        "an enumeration of the base doesn't tell its children apart: their names do; patterns leave other members alone"
    )
    func sharedEnumeration() throws {
        let coding = AwkwardBodiesAPI.coding
        let dog = try coding.decode(Kinded.self, from: Data(#"{"kind":"KindedDog"}"#.utf8))
        let isDog = if case .dog = dog { true } else { false }
        #expect(isDog, "\(dog)")
        let json = #"{"a":"1","foo":"text","x-n":1}"#
        let record = try coding.decode(PatternedRecord.self, from: Data(json.utf8))
        #expect(record.a == "1" && record.additionalProperties == ["foo": "text", "x-n": 1])
    }

    @Test("an operation that only some of the document's servers have is sent to one of these")
    func serverSubsets() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(204)) }
        func hosts(_ environment: APIEnvironment) async throws -> [String] {
            let api = ServerSubsetsAPI.client(environment, transport: mock)
            let count = mock.requests.count
            try await api.send(.readSubsetAll)
            try await api.send(.readSubsetSecond)
            try await api.send(.readSubsetFirst)
            try await api.send(.readSubsetOther)
            return mock.requests.dropFirst(count).compactMap {
                $0.url?.absoluteString.split(separator: "/").dropFirst().first.map(String.init)
            }
        }
        let (first, second, other) = ("subsets.example.com", "staging.subsets.example.com", "other.example.com")
        #expect(try await hosts(ServerSubsetsAPI.production) == [first, second, first, other])
        #expect(try await hosts(ServerSubsetsAPI.staging) == [second, second, first, second])
        let local = APIEnvironment(name: "mock", baseURL: "https://mock.example.com")
        #expect(try await hosts(local) == Array(repeating: "mock.example.com", count: 4))
    }

    @Test(
        "an operation with a server of its own is sent there with the client's credentials, unless the client is a mock's"
    )
    func servers() async throws {
        let mock = MockTransport { $0.any("*").reply(.status(204)) }
        try await PathServersAPI.client(transport: mock).send(.uploadHere(body: .bytes(Data("a".utf8))))
        try await PathServersAPI.client(transport: mock).send(.readLocal)
        let other = APIEnvironment(name: "mock", baseURL: "https://mock.example.com/base")
        try await PathServersAPI.client(other, transport: mock).send(.uploadHere(body: .bytes(Data("a".utf8))))
        try await PathServersAPI.client(transport: mock).send(.readRelative)
        #expect(
            mock.requests.map { $0.url?.absoluteString } == [
                "https://upload.example.com/api/uploads", "https://path-servers.example.com/v1/local",
                "https://mock.example.com/base/uploads", "https://path-servers.example.com/v2/relative",
            ])
    }

    @Test("an optional choice that may be blank keeps its values, and large integers their digits")
    func choices() throws {
        func value(_ members: String) throws -> EnumValues2 {
            let text = #"{"sign":"=","case":"red","number":1,"mixed":1,"flag":true,\#(members)}"#
            let value = try JSONCoding().decode(EnumValues2.self, from: Data(text.utf8))
            #expect(try JSONCoding().decode(EnumValues2.self, from: JSONCoding().encode(value)) == value)
            return value
        }
        #expect(try value(#""choice":"open""#).choice == .known(.open))
        #expect(try value(#""choice":"""#).choice == .known(.empty))
        #expect(try value(#""choice":null"#).choice == nil)
        #expect(try value(#""when":"""#).when == .blankEnum(""))
        #expect(try value(#""when":"1970-01-01T00:00:00Z""#).when == .dateTime(Date(timeIntervalSince1970: 0)))
        #expect(try value(#""size":18446744073709551615"#).size == .max)
    }
}
