import Foundation
import GodwitJSON
import Testing

@Suite("J1 Encoding containers")
struct ContainerEncodingTests {
    private class Animal: Encodable {
        var name = "animal"
    }

    private final class Dog: Animal {
        private enum CodingKeys: String, CodingKey {
            case breed
        }

        let usesSuperEncoder: Bool

        init(usesSuperEncoder: Bool) {
            self.usesSuperEncoder = usesSuperEncoder
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if usesSuperEncoder { try super.encode(to: container.superEncoder()) }
            try container.encode("mutt", forKey: .breed)
            if !usesSuperEncoder { try super.encode(to: encoder) }
        }
    }

    @Test("J1 classes encode the members of their superclass, in the object or under super")
    func classes() {
        expectFoundations([Dog(usesSuperEncoder: true), Dog(usesSuperEncoder: false)])
        expectFoundations(Dog(usesSuperEncoder: true), Options(keys: .convertToSnakeCase))
    }

    @Test("J1 nested containers are filled in any order")
    func interleaved() {
        expectFoundations(
            Encoded { encoder in
                var object = encoder.container(keyedBy: Name.self)
                var list = object.nestedUnkeyedContainer(forKey: "list/\"")
                var inner = object.nestedContainer(keyedBy: Name.self, forKey: "inner")
                try list.encode(1)
                try inner.encode("x", forKey: "b")
                try object.encode(true, forKey: "z")
                try list.encode("two")
                var element = list.nestedContainer(keyedBy: Name.self)
                try inner.encode([1, 2], forKey: "a")
                try list.encodeNil()
                try element.encode(1.5, forKey: "late")
                var deep = list.nestedUnkeyedContainer()
                try object.encodeNil(forKey: "m")
                try deep.encode(contentsOf: [1, 2])
                var again = encoder.container(keyedBy: Name.self)
                try again.encode(Date(timeIntervalSinceReferenceDate: 1), forKey: "c")
            })
    }

    @Test("J1 super encoders may be used after other values")
    func lateSuperEncoders() {
        expectFoundations(
            Encoded { encoder in
                var object = encoder.container(keyedBy: Name.self)
                let (superclass, other) = (object.superEncoder(), object.superEncoder(forKey: "ot\"her"))
                let unused = object.superEncoder(forKey: "unused")
                try object.encode(1, forKey: "a")
                var single = other.singleValueContainer()
                try single.encode("late")
                var list = superclass.unkeyedContainer()
                let element = list.superEncoder()
                var last = element.singleValueContainer()
                try last.encode(["k": 1])
                _ = unused
            })
    }

    @Test("J1 empty containers, and values that encode nothing inside others")
    func empty() {
        let nothing = Encoded { _ in }
        expectFoundations([Int]())
        expectFoundations([[Int](), [1]])
        expectFoundations([String: Int]())
        expectFoundations([nothing, nothing])
        expectFoundations(["a": nothing])
        expectFoundations(["a": [[String: Int]()]])
        expectFoundations(Encoded { _ = $0.container(keyedBy: Name.self) })
        expectFoundations(
            Encoded { encoder in
                var list = encoder.unkeyedContainer()
                _ = list.nestedContainer(keyedBy: Name.self)
                _ = list.nestedUnkeyedContainer()
            })
    }

    @Test("J1 a top-level value that encodes nothing throws")
    func nothing() throws {
        expectFoundations(Encoded { _ in })
        let error = try #require(throws: EncodingError.self) { try JSONModelEncoder().encode(Encoded { _ in }) }
        guard case .invalidValue(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.debugDescription == "Encoded did not encode any value")
    }

    @Test("J1 of values with the same key, the last counts; a nested container continues")
    func duplicates() {
        expectFoundations(
            Encoded { encoder in
                var object = encoder.container(keyedBy: Name.self)
                for index in 0..<60 { try object.encode(index, forKey: Name(stringValue: "key number \(index % 20)")) }
                var first = object.nestedContainer(keyedBy: Name.self, forKey: "nested")
                try first.encode(1, forKey: "a")
                try first.encode(2, forKey: "b")
                var second = object.nestedContainer(keyedBy: Name.self, forKey: "nested")
                try second.encode(3, forKey: "a")
                try first.encode(4, forKey: "c")
                try object.encode(["x": 1], forKey: "value")
                var third = object.nestedContainer(keyedBy: Name.self, forKey: "value")
                try third.encode(2, forKey: "y")
                var list = object.nestedUnkeyedContainer(forKey: "list")
                try list.encode(1)
                list = object.nestedUnkeyedContainer(forKey: "list")
                try list.encode("x")
            })
    }

    @Test("J1 without sorting, of values with the same key the last counts", arguments: [3, 12, 13, 200])
    func unsortedDuplicates(count: Int) {
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: Name.self)
            for index in 0..<count { try object.encode(index, forKey: Name(stringValue: "a rather long key \(index)")) }
            try object.encode("last", forKey: "a rather long key 1")
        }
        let text = Outcome { try JSONModelEncoder().encode(value) }
        let kept = (0..<count).filter { $0 != 1 }.map { "\"a rather long key \($0)\":\($0)" }
        #expect(text == .text("{" + kept.joined(separator: ",") + ",\"a rather long key 1\":\"last\"}"))
    }

    @Test("J1 keys are sorted by their bytes, whatever escapes they need")
    func sorting() {
        let names = [
            "", "a", "b", "aa", "a\u{0}", "a\u{1}b", "\"", "#", "/", "\\", "Z", "é", "日本", "key number 1",
            "key number 10",
            "key number 2", "key/number", "key\"number", "key number", "k", "\u{7F}", "😀",
        ]
        expectFoundations(Dictionary(uniqueKeysWithValues: zip(names, names)))
        expectFoundations(Dictionary(uniqueKeysWithValues: (0..<500).map { ("number \($0 * 7919 % 500)", $0) }))
    }

    @Test("J1 dictionaries with other keys are encoded as Foundation encodes them")
    func dictionaryKeys() {
        enum Color: String, CodingKeyRepresentable, Encodable {
            case darkRed, lightBlue
        }
        enum Plain: String, Hashable, Encodable {
            case one
        }
        expectFoundations([1: "a", -20: "b", 100: "c"])
        expectFoundations([Color.darkRed: 1, .lightBlue: 2])
        expectFoundations([Color.darkRed: 1, .lightBlue: 2], Options(keys: .convertToSnakeCase))
        expectFoundations([1: 2], Options(keys: .convertToSnakeCase))
        expectFoundations([Plain.one: 1])
        expectFoundations([2.5: "x"])
        expectFoundations([Int8(3): true])
    }

    @Test("J1 a value through single-value containers is the value")
    func singleValues() {
        expectFoundations(
            Encoded { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(
                    Encoded { encoder in
                        var container = encoder.singleValueContainer()
                        try container.encode(["aKey": [1.5]])
                    })
            }, Options(keys: .convertToSnakeCase))
        expectFoundations(
            Encoded { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(["aKey": 1])
                var object = encoder.container(keyedBy: Name.self)
                try object.encode(2, forKey: "otherKey")
            }, Options(keys: .convertToSnakeCase))
    }

    @Test("J1 enums with payloads and generic types are encoded as by Foundation")
    func enums() {
        enum Shape: Encodable {
            case circle(radius: Double)
            case rectangle(Int, height: Int)
            case point
        }
        enum Level: Int, Encodable {
            case low = 1
        }
        expectFoundations([Shape.circle(radius: 1), .rectangle(2, height: 3), .point])
        expectFoundations(["level": Level.low])
        expectFoundations([Level.low, .low])
    }

    @Test("J1 an unkeyed container counts its elements")
    func count() throws {
        var counts: [Int] = []
        let value = Encoded { encoder in
            var list = encoder.unkeyedContainer()
            counts = [list.count]
            try list.encode(1)
            try list.encode(2)
            counts.append(list.count)
            _ = list.nestedUnkeyedContainer()
            try list.encode([1])
            counts.append(list.count)
            try? list.encode(Double.nan)
            counts.append(list.count)
        }
        _ = try JSONModelEncoder().encode(value)
        #expect(counts == [0, 2, 4, 4])
    }

    @Test("J1 encoded elements are appended to a buffer")
    func appending() throws {
        var body = Data("[".utf8)
        try JSONModelEncoder().encode(["a": 1], appendingTo: &body)
        body.append(UInt8(ascii: ","))
        #expect(throws: EncodingError.self) { try JSONModelEncoder().encode([Double.nan], appendingTo: &body) }
        try JSONModelEncoder().encode(true, appendingTo: &body)
        #expect(String(decoding: body, as: UTF8.self) == #"[{"a":1},true"#)
    }
}
