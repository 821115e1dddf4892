#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import GodwitJSON

/// How the models below are decoded by ``JSONModelDecoder``: through Codable's containers, or by their own initializers.
protocol ModelKind: Sendable {}
enum ByContainers: ModelKind {}
enum ByReader: ModelKind {}

/// A model of each kind, with the types that members have. The same declaration is decoded both ways.
struct Station<Kind: ModelKind>: Decodable {
    var id: Int
    var stationName: String
    var altitude: Double
    var isActive: Bool
    var openedAt: Date
    var closedAt: Date?
    var homepage: URL?
    var key: UUID?
    var badge: Data?
    var fee: Decimal?
    var state: State?
    var level: UInt8?
    var owner: Owner
    var deputy: Owner?
    var sensors: [Sensor]
    var spares: [Sensor?]?
    var byName: [String: Owner]?
    var tags: [String]?
    var parent: Box?
    var e: Float?

    enum State: String, Decodable { case open, closed }

    /// A readable model in a plain one.
    struct Owner: Decodable {
        var address: Address
        var phones: [Int]?
    }

    struct Address: Decodable {
        var city: String
        var zipCode: String?
    }

    struct Sensor: Decodable {
        var unit: String
        var values: [Double]
        var owner: Owner?
    }

    final class Box: Decodable {
        let station: Station

        init(from decoder: any Decoder) throws {
            station = try decoder.singleValueContainer().decode(Station.self)
        }
    }
}

extension Station: JSONReadable where Kind == ByReader {
    init(json: inout JSONObjectReader) throws {
        id = try json.read("id")
        stationName = try json.read("stationName")
        altitude = try json.read("altitude")
        isActive = try json.read("isActive")
        openedAt = try json.read("openedAt")
        closedAt = try json.read("closedAt")
        homepage = try json.read("homepage")
        key = try json.read("key")
        badge = try json.read("badge")
        fee = try json.read("fee")
        state = try json.read("state")
        level = try json.read("level")
        owner = try json.read("owner")
        deputy = try json.read("deputy")
        sensors = try json.read("sensors")
        spares = try json.read("spares")
        byName = try json.read("byName")
        tags = try json.read("tags")
        parent = try json.read("parent")
        e = try json.read("e")
    }
}

extension Station.Address: JSONReadable where Kind == ByReader {
    init(json: inout JSONObjectReader) throws {
        city = try json.read("city")
        zipCode = try json.read("zipCode")
    }
}

extension Station.Sensor: JSONReadable where Kind == ByReader {
    init(json: inout JSONObjectReader) throws {
        unit = try json.read("unit")
        values = try json.read("values")
        owner = try json.read("owner")
    }
}
