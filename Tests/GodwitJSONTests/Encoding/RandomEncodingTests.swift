import Foundation
import GodwitJSON
import TestSupport
import Testing

/// A random value of nested containers.
private indirect enum Tree: Encodable {
    case null, bool(Bool), integer(Int), number(Double), text(String), date(Date), data(Data)
    case list([Tree]), numbers([Int]), texts([String]), map([String: Tree]), members([(String, Tree)])

    init(depth: Int, using generator: inout SplitMix) {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &generator) {
        case 0: self = .null
        case 1: self = .bool(.random(using: &generator))
        case 2: self = .integer(Int(truncatingIfNeeded: generator.next()) >> Int.random(in: 0..<64, using: &generator))
        case 3: self = .number(Double.random(in: -1e6...1e6, using: &generator))
        case 4: self = .text(Self.text(&generator))
        case 5: self = .date(Date(timeIntervalSince1970: .random(in: -1e10...1e11, using: &generator)))
        case 6: self = .data(Data(Self.text(&generator).utf8))
        case 7: self = .numbers(Self.list(&generator) { Int.random(in: -999...999, using: &$0) })
        case 8: self = .texts(Self.list(&generator, Self.text))
        case 9: self = .list(Self.list(&generator) { Tree(depth: depth - 1, using: &$0) })
        case 10:
            self = .map(
                Dictionary(Self.list(&generator) { (Self.text(&$0), Tree(depth: depth - 1, using: &$0)) }) { $1 })
        default: self = .members(Self.list(&generator) { (Self.text(&$0), Tree(depth: depth - 1, using: &$0)) })
        }
    }

    private static func list<T>(_ generator: inout SplitMix, _ element: (inout SplitMix) -> T) -> [T] {
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in element(&generator) }
    }

    private static func text(_ generator: inout SplitMix) -> String {
        let letters = Array("abcdefgXYZ019_ /\\\"\n\t\u{1}éß日😀")
        return String(list(&generator) { letters[Int.random(in: 0..<letters.count, using: &$0)] })
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .numbers(let value): try container.encode(value)
        case .texts(let value): try container.encode(value)
        case .map(let value): try container.encode(value)
        case .members(let members):
            var object = encoder.container(keyedBy: Name.self)
            for (name, value) in members { try object.encode(value, forKey: Name(stringValue: name)) }
        }
    }
}

@Suite("J1 Encoding random values")
struct RandomEncodingTests {
    @Test("J1 random values have the bytes that Foundation writes", arguments: 0..<4)
    func sameBytes(kind: Int) {
        var generator = SplitMix(seed: UInt64(kind) &+ 19)
        let options = Options(
            format: [
                [.sortedKeys], [.sortedKeys, .prettyPrinted], [.sortedKeys, .withoutEscapingSlashes], .sortedKeys,
            ][
                kind],
            dates: [.deferredToDate, .iso8601, .secondsSince1970, .millisecondsSince1970][kind],
            keys: kind == 3 ? .convertToSnakeCase : .useDefaultKeys)
        for _ in 0..<1500 {
            let tree = Tree(depth: 4, using: &generator)
            #expect(Outcome { try options.ours.encode(tree) } == Outcome { try options.foundations.encode(tree) })
        }
    }

    @Test("J1 without sorting, random values are read as the same value")
    func sameValues() throws {
        var generator = SplitMix(seed: 3)
        for _ in 0..<1500 {
            let tree = Tree(depth: 4, using: &generator)
            let documents = [try JSONModelEncoder().encode(tree), try JSONEncoder().encode(tree)]
            let values = try documents.map {
                try JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) as? NSObject
            }
            #expect(values[0] == values[1])
        }
    }
}
