import Foundation
import GodwitJSON
import Testing

/// The result of an encoding, comparable with that of another encoder.
enum Outcome: Equatable, CustomStringConvertible {
    case text(String)
    case invalid(path: [String])
    case other(String)

    init(_ encode: () throws -> Data) {
        do {
            self = .text(String(decoding: try encode(), as: UTF8.self))
        } catch EncodingError.invalidValue(_, let context) {
            self = .invalid(path: context.codingPath.map(\.stringValue))
        } catch {
            self = .other("\(error)")
        }
    }

    var description: String {
        switch self {
        case .text(let text): text
        case .invalid(let path): "invalid at \(path)"
        case .other(let error): error
        }
    }
}

/// The options of both encoders.
struct Options {
    var format: JSONEncoder.OutputFormatting = .sortedKeys
    var dates: JSONEncoder.DateEncodingStrategy = .deferredToDate
    var data: JSONEncoder.DataEncodingStrategy = .base64
    var numbers: JSONEncoder.NonConformingFloatEncodingStrategy = .throw
    var keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    var ours: JSONModelEncoder {
        var encoder = JSONModelEncoder()
        encoder.outputFormatting = format
        encoder.dateEncodingStrategy = dates
        encoder.dataEncodingStrategy = data
        encoder.nonConformingFloatEncodingStrategy = numbers
        encoder.keyEncodingStrategy = keys
        encoder.userInfo = userInfo
        return encoder
    }

    var foundations: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = format
        encoder.dateEncodingStrategy = dates
        encoder.dataEncodingStrategy = data
        encoder.nonConformingFloatEncodingStrategy = numbers
        encoder.keyEncodingStrategy = keys
        encoder.userInfo = userInfo
        return encoder
    }
}

/// Expects the bytes or the error that Foundation gives, in every layout.
func expectFoundations<T: Encodable>(
    _ value: @autoclosure () -> T, _ options: Options = Options(), sourceLocation: SourceLocation = #_sourceLocation
) {
    let layouts: [JSONEncoder.OutputFormatting] = [
        .sortedKeys, [.sortedKeys, .withoutEscapingSlashes], [.sortedKeys, .prettyPrinted],
        [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes],
    ]
    for layout in layouts {
        var options = options
        options.format = layout
        let ours = Outcome { try options.ours.encode(value()) }
        let foundations = Outcome { try options.foundations.encode(value()) }
        #expect(ours == foundations, sourceLocation: sourceLocation)
    }
}

/// A value that encodes itself by a closure.
struct Encoded: Encodable {
    let body: (any Encoder) throws -> Void

    init(_ body: @escaping (any Encoder) throws -> Void) {
        self.body = body
    }

    func encode(to encoder: any Encoder) throws {
        try body(encoder)
    }
}

/// A key of any text.
struct Name: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringLiteral value: String) {
        stringValue = value
    }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}

struct Failure: Error {}
