import Godwit
import GodwitUI
import Observation

// snippet: isolation-models
nonisolated struct Station: Codable, Identifiable {
    let id: Int
    var name: String
}

nonisolated extension Station {  // an extension needs it too
    var isNamed: Bool { !name.isEmpty }
}

struct Measurement: Decodable, Nonisolated {  // a model with property wrappers
    @DefaultEmpty var remarks: [String]
    @NumberOrString var level: Double
}
// end

// snippet: isolation-free
extension Endpoint {
    static func station(id: Int) -> Endpoint<Station> { .get("stations/\(id)") }
    static func rename(id: Int, to name: String) -> Endpoint<Station> {
        .patch("stations/\(id)", body: .json(["name": name]))
    }
}

extension HTTPField.Name {
    static let tenant: Self = "X-Tenant"
}

struct Tenancy: RequestMiddleware {
    func prepare(_ call: inout Call) { call.request.fields[.tenant] = "reader" }
}
// end

// snippet: isolation-screen
@Observable @MainActor
final class StationScreen {
    private let api: APIClient
    private(set) var station: Station?
    private(set) var log: [String] = []
    var messageLimit = 1 << 20

    init(_ api: APIClient) { self.api = api }

    func load() async throws {
        station = try await api.send(.station(id: 42))  // decoded off the main actor, shown on it
    }

    func follow() async throws {
        let socket = try await api.webSocket("live") { $0.messageLimit = self.messageLimit }
        for try await message in socket.messages { log.append("\(message)") }
    }
}
// end
