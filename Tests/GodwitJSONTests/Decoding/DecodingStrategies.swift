import GodwitJSON
import TestSupport

/// The settings of a decoder, for both decoders under comparison.
struct DecodingStrategies: Sendable, CustomStringConvertible {
    enum Keys: CaseIterable { case useDefaultKeys, convertFromSnakeCase, custom }
    enum Dates: CaseIterable { case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601, custom }
    enum DataTexts: CaseIterable { case base64, deferredToData, custom }

    var keys = Keys.useDefaultKeys
    var dates = Dates.deferredToDate
    var data = DataTexts.base64
    var convertsFloats = false

    init() {}

    init(using random: inout SplitMix) {
        keys = random.happens(60) ? .useDefaultKeys : random.pick(Keys.allCases)
        dates = random.pick(Dates.allCases)
        data = random.pick(DataTexts.allCases)
        convertsFloats = random.happens(30)
    }

    var description: String { "keys \(keys), dates \(dates), data \(data)\(convertsFloats ? ", converts floats" : "")" }

    func foundation(userInfo: [CodingUserInfoKey: any Sendable] = [:]) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keyStrategy
        decoder.dateDecodingStrategy = dateStrategy
        decoder.dataDecodingStrategy = dataStrategy
        decoder.nonConformingFloatDecodingStrategy = floatStrategy
        decoder.userInfo = userInfo
        return decoder
    }

    func model(userInfo: [CodingUserInfoKey: any Sendable] = [:]) -> JSONModelDecoder {
        var decoder = JSONModelDecoder()
        decoder.keyDecodingStrategy = keyStrategy
        decoder.dateDecodingStrategy = dateStrategy
        decoder.dataDecodingStrategy = dataStrategy
        decoder.nonConformingFloatDecodingStrategy = floatStrategy
        decoder.userInfo = userInfo
        return decoder
    }

    /// The key of a type that a key of a document is for.
    func converted(_ key: String) -> String {
        switch keys {
        case .useDefaultKeys: key
        case .convertFromSnakeCase: Self.camelCase[key] ?? key
        case .custom: "<\(key)>"
        }
    }

    /// What Foundation makes of each key that documents have.
    private static let camelCase: [String: String] = {
        struct FirstKey: Decodable {
            let text: String?
            init(from decoder: any Decoder) throws {
                text = try decoder.container(keyedBy: AnyKey.self).allKeys.first?.stringValue
            }
        }
        var random = SplitMix(seed: 0)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let pairs = RandomTree.keys.map { key in
            let json = RandomTree.object([(key, .null)]).json(using: &random)
            return (key, (try? decoder.decode(FirstKey.self, from: Data(json)).text) ?? key)
        }
        return Dictionary(pairs) { first, _ in first }
    }()

    private var keyStrategy: JSONDecoder.KeyDecodingStrategy {
        switch keys {
        case .useDefaultKeys: .useDefaultKeys
        case .convertFromSnakeCase: .convertFromSnakeCase
        case .custom:
            .custom { path in
                // The path is compared too: it is in the key if a key of it has an integer value.
                let indexes = path.compactMap(\.intValue).map(String.init).joined(separator: ",")
                let last = path.last?.stringValue ?? "none"
                return AnyKey(indexes.isEmpty || path.last?.intValue == nil ? "<\(last)>" : "<\(last)@\(indexes)>")
            }
        }
    }

    private var dateStrategy: JSONDecoder.DateDecodingStrategy {
        switch dates {
        case .deferredToDate: .deferredToDate
        case .secondsSince1970: .secondsSince1970
        case .millisecondsSince1970: .millisecondsSince1970
        case .iso8601: .iso8601
        case .custom:
            .custom { decoder in
                let text = try decoder.singleValueContainer().decode(String.self)
                guard text.utf8.first == UInt8(ascii: "2") else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: decoder.codingPath, debugDescription: "no date"))
                }
                return Date(timeIntervalSinceReferenceDate: Double(text.utf8.count))
            }
        }
    }

    private var dataStrategy: JSONDecoder.DataDecodingStrategy {
        switch data {
        case .base64: .base64
        case .deferredToData: .deferredToData
        case .custom: .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
        }
    }

    private var floatStrategy: JSONDecoder.NonConformingFloatDecodingStrategy {
        convertsFloats ? .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan") : .throw
    }
}
