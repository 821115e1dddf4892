// Calls every operation of the running FastAPI server (app.py) with the client generated from its document.
import Foundation
import Godwit
import Harbor
import Testing

/// The vessel that the server starts with.
private let alexandra = UUID(uuidString: "6F1C5F0E-8F4F-4D53-9F0A-0F8A3C0D2B11") ?? UUID()

private func client(_ credential: HarborCredential? = nil) throws -> APIClient {
    let url = try #require(ProcessInfo.processInfo.environment["GODWIT_PEER_URL"])
    return HarborAPI.client(APIEnvironment(name: "local", baseURL: url), credential: credential)
}

@Suite("G2 FastAPI: vessels", .serialized)
struct HarborVesselTests {
    let api: APIClient

    init() async throws {
        api = try client()
        try await api.send(.restoreVessels)
    }

    @Test("G2 nullable references, unions, enums, dates and maps are read")
    func read() async throws {
        let vessel = try await api.send(.readVessel(vesselId: alexandra))
        #expect(vessel.id == alexandra)
        #expect(vessel.kind == Open(.tallShip))
        #expect(vessel.priority == Open(.value9))
        #expect(vessel.position == Position(latitude: 54.3, longitude: 10.1))
        #expect(vessel.previous == nil)
        #expect(vessel.propulsion == .sail(Sail(masts: 3)))
        #expect(
            vessel.cargo == [
                .container(Container(number: "C-1", weight: 2.5)), .bulk(Bulk(substance: "milk", liters: 900)),
            ])
        #expect(vessel.built == Day(year: 1908, month: 4, day: 2))
        #expect(vessel.labels == ["flag": "DE"])
        #expect(abs(vessel.arrived.timeIntervalSince1970 - 1_795_422_615.123) < 0.001)
        #expect(vessel.harborDues == "1204.10")
        #expect(vessel.berth == .string("B-7"))
    }

    @Test("G2 a draft with only what is required is accepted, and the server's defaults come back")
    func create() async throws {
        let draft = VesselDraft(name: "Heimat", propulsion: .engine(EngineDraft(kilowatts: .number(330.5))))
        let vessel = try await api.send(.createVessel(draft))
        #expect(vessel.name == "Heimat")
        #expect(vessel.kind == Open(.cargo))
        #expect(vessel.propulsion == .engine(Engine(kilowatts: "330.5")))
        #expect(vessel.berth == .integer(4))
        #expect(vessel.cargo == [])
    }

    @Test("G2 a partial update sends what is set and null, and nothing else")
    func change() async throws {
        let renamed = try await api.send(.changeVessel(vesselId: alexandra, VesselChange(name: .value("Alex"))))
        #expect(renamed.name == "Alex")
        #expect(renamed.position != nil)
        let cleared = try await api.send(.changeVessel(vesselId: alexandra, VesselChange(position: .null)))
        #expect(cleared.position == nil)
        #expect(cleared.name == "Alex")
    }

    @Test("G2 pages follow the cursor")
    func pages() async throws {
        for name in ["Bertha", "Carla"] {
            _ = try await api.send(.createVessel(VesselDraft(name: name, propulsion: .sail(Sail()))))
        }
        let page = try await api.send(.listVessels(limit: 2))
        #expect(page.total == 3)
        #expect(page.nextCursor == "2")
        var names: [String] = []
        for try await vessel in LiveHarborRepository(api).allVessels(limit: 2) { names.append(vessel.name) }
        #expect(names == ["Alexandra", "Bertha", "Carla"])
    }

    @Test("G2 a map of models is read by key")
    func map() async throws {
        #expect(try await api.send(.vesselsByLabel(label: "flag"))["DE"]?.id == alexandra)
    }

    @Test("G2 a missing vessel is a 404, deleted ones are missing")
    func delete() async throws {
        try await api.send(.deleteVessel(vesselId: alexandra))
        let error = await #expect(throws: NetworkError.self) { try await api.send(.readVessel(vesselId: alexandra)) }
        #expect(error?.response?.status.code == 404)
    }

    @Test("G2 a refused draft names the field")
    func refused() async throws {
        let draft = VesselDraft(name: "x", propulsion: .sail(Sail()))
        let error = await #expect(throws: NetworkError.self) { try await api.send(.createVessel(draft)) }
        #expect(error?.response?.status.code == 422)
        #expect(error?.description.contains("name") == true)
        #expect(error?.problem != nil || error?.body != nil)
    }

    @Test("G2 a recursive type goes both ways; the operation is deprecated and works")
    func plan() async throws {
        let plan = try await api.send(.readPlan(vesselId: alexandra))
        #expect(plan.rooms?.first?.parent?.value.name == "deck")
        #expect(plan.rooms?.first?.rooms?.first?.name == "bilge")
        let draft = CompartmentDraft(
            name: "hull", rooms: [CompartmentDraft(name: "hold", rooms: [CompartmentDraft(name: "bilge")])])
        #expect(try await api.send(.replacePlan(vesselId: alexandra, draft)) == 3)
    }

    @Test("G2 files go up alone, with form fields and in numbers; bytes come down")
    func files() async throws {
        let photo = MultipartFile.data(Data("png".utf8), fileName: "bow.png", type: MediaType("image/png"))
        let receipt = try await api.send(
            .uploadPhoto(vesselId: alexandra, photo: photo, title: "Bow & stern", tags: ["sea", "sky"]))
        #expect(receipt == Receipt(names: ["bow.png"], size: 3, title: "Bow & stern", tags: ["sea", "sky"]))
        let papers = ["a.pdf", "ü.pdf"].map { MultipartFile.data(Data("pdf!".utf8), fileName: $0) }
        let seal = MultipartFile.data(Data("wax".utf8), fileName: "seal.bin")
        #expect(try await api.send(.uploadPapers(vesselId: alexandra, papers: papers)).names == ["a.pdf", "ü.pdf"])
        #expect(try await api.send(.uploadPapers(vesselId: alexandra, papers: papers, seal: seal)).size == 11)
        #expect(try await api.send(.downloadPhoto(vesselId: alexandra)).count == 4096)
    }
}

@Suite("G2 FastAPI: session, streams and parameters")
struct HarborPeerTests {
    @Test("G2 the form login returns a token that opens the session")
    func session() async throws {
        let api = try client()
        let token = try await api.send(.login(username: "ada@example.com", password: "anchor & chain"))
        #expect(token.tokenType == "bearer")
        let captain = try await client(.oAuth2PasswordBearer(token.accessToken)).send(.readMe)
        #expect(captain == Captain(userName: "ada@example.com", ports: ["Kiel", "Husum"]))
        let error = await #expect(throws: NetworkError.self) { try await api.send(.readMe) }
        #expect(error?.kind == .unauthorized)
        let refused = await #expect(throws: NetworkError.self) {
            try await api.send(.login(username: "ada@example.com", password: "wrong"))
        }
        #expect(refused?.description.contains("Incorrect username or password") == true)
    }

    @Test("G2 lines of JSON and events arrive one by one, with their types")
    func streams() async throws {
        let repository = LiveHarborRepository(try client())
        var arrivals: [String] = []
        for try await arrival in repository.streamArrivals(count: 3) { arrivals.append(arrival.vessel) }
        #expect(arrivals == ["Vessel 0", "Vessel 1", "Vessel 2"])
        var notes: [String?] = []
        for try await arrival in repository.readLog() { notes.append(arrival.note) }
        #expect(notes == ["fog"])
        var tides: [Tide] = []
        for try await tide in repository.watchTides(count: 2) {
            tides.append(tide)
            if tides.count == 2 { break }
        }
        #expect(tides == [Tide(height: 1.5, rising: true), Tide(height: 2.5, rising: false)])
    }

    @Test("G2 parameters of the path, the query, the header and cookies arrive as they were given")
    func parameters() async throws {
        let api = try client()
        let since = Date(timeIntervalSince1970: 1_795_422_600)
        let echo = try await api.send(
            .echo(
                pathText: "a b%ü?", number: 7, kinds: [Open(.tallShip), Open(.default)], since: since,
                day: Day(year: 2026, month: 2, day: 28), dues: .string("12.50"), flag: false, limit: 3,
                xRequestTag: "t1", berthSession: "s1"))
        #expect(echo.pathText == "a b%ü?")
        #expect(echo.number == 7)
        #expect(echo.kinds == [Open(.tallShip), Open(.default)])
        #expect(echo.since == since)
        #expect(echo.day == Day(year: 2026, month: 2, day: 28))
        #expect(echo.dues == "12.50")
        #expect(!echo.flag && echo.limit == 3 && echo.xRequestTag == "t1" && echo.cookie == "s1")
        let plain = try await api.send(.echo(pathText: "x", number: 0))
        #expect(
            plain.flag && plain.limit == 10 && plain.kinds.isEmpty && plain.xRequestTag == nil && plain.cookie == nil)
    }

    @Test("G2 unions in bodies and answers keep their kind")
    func unions() async throws {
        let api = try client()
        let vessel = VesselDraft(name: "Ida", propulsion: .sail(Sail()))
        let quote = try await api.send(.quote(QuoteRequest(vessel: vessel, days: 2)))
        #expect(quote["total"] == .some(.number(25)))
        #expect(quote["name"] == .some(.string("Ida")))
        #expect(quote["note"] == .some(nil))
        let kinds: [(AnythingRequest, JSONValue)] = [
            (.container(Container(number: "C", weight: 1)), "Container"),
            (.bulkList([Bulk(substance: "sand", liters: 1)]), "list"), (.string("text"), "str"), (.integer(4), "int"),
        ]
        for (value, kind) in kinds { #expect(try await api.send(.anything(value))["type"] == kind) }
    }
}
