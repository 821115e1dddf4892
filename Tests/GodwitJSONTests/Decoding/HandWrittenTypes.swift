import GodwitJSON

class Animal: Codable {
    var name: String
    var born: Date?

    private enum CodingKeys: String, CodingKey { case name, born }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        born = try container.decodeIfPresent(Date.self, forKey: .born)
    }
}

/// Its superclass stands under "super".
final class Dog: Animal, DescribedExactly {
    var tricks: [String]

    private enum CodingKeys: String, CodingKey { case tricks }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tricks = try container.decode([String].self, forKey: .tricks)
        try super.init(from: container.superDecoder())
    }

    var exactDescription: String { "Dog(\(describe(name)), \(describe(born)), \(describe(tricks)))" }
}

/// Its superclass reads from the same object.
final class Cat: Animal, DescribedExactly {
    var lives: UInt8

    private enum CodingKeys: String, CodingKey { case lives }

    required init(from decoder: any Decoder) throws {
        lives = try decoder.container(keyedBy: CodingKeys.self).decode(UInt8.self, forKey: .lives)
        try super.init(from: decoder)
    }

    var exactDescription: String { "Cat(\(describe(name)), \(describe(born)), \(lives))" }
}

enum Shape: Codable {
    case circle(radius: Double)
    case polygon(points: [Point], isClosed: Bool?)
    case label(String, Point)
    case nothing
}

struct Point: Codable {
    var x: Double
    var y: Double

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        x = try container.decode(Double.self)
        y = try container.decode(Double.self)
    }
}

/// Zero if the key is missing.
@propertyWrapper
struct Zeroed: Codable {
    var wrappedValue: Int

    init(wrappedValue: Int) {
        self.wrappedValue = wrappedValue
    }

    init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Int.self)
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: Zeroed.Type, forKey key: Key) throws -> Zeroed {
        try decodeIfPresent(type, forKey: key) ?? Zeroed(wrappedValue: 0)
    }
}

/// Skips elements that don't decode, as people write it.
struct Lossy<Element: Decodable>: Decodable {
    private struct Skipped: Decodable {}

    var elements: [Element] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            if let element = try? container.decode(Element.self) {
                elements.append(element)
            } else {
                _ = try? container.decode(Skipped.self)
            }
            if elements.count > 1_000 || container.currentIndex > 1_000 { break }
        }
    }
}

struct Page<Item: Decodable, Meta: Decodable>: Decodable {
    var items: [Item]
    var meta: Meta?
    var nextPage: URL?
    @Zeroed var total: Int
}

struct Article: Decodable {
    struct Author: Decodable {
        var id: UInt64
        var displayName: String
    }

    var id: Int
    var title: String
    var createdAt: Date
    var author: Author
    var tags: Set<String>
    var rating: Float?
    var price: Decimal?
    var thumbnail: Data?
    var url: URL?
    var color: Color?
    var levels: [Level]?
    var counts: [String: Int]?
    var byDay: [Int: [Double]]?
    var flags: [[Bool?]]?
}

/// Tries one form, then another.
enum Either<First: Decodable, Second: Decodable>: Decodable {
    case first(First)
    case second(Second)

    init(from decoder: any Decoder) throws {
        do {
            self = .first(try First(from: decoder))
        } catch is DecodingError {
            self = .second(try Second(from: decoder))
        } catch {
            // Foundation's internal errors come here.
            self = .second(try Second(from: decoder))
        }
    }
}

/// A tree that refers to itself.
final class Node: Decodable, DescribedExactly {
    let value: Int
    let children: [Node]?

    var exactDescription: String { "Node(\(value), \(describe(children)))" }
}
