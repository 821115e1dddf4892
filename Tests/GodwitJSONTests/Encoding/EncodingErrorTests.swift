import Foundation
import GodwitJSON
import Testing

@Suite("J1 Errors of encoding")
struct EncodingErrorTests {
    private static var failing: Encoded {
        Encoded { encoder in
            var object = encoder.container(keyedBy: Name.self)
            try object.encode(1, forKey: "before")
            throw Failure()
        }
    }

    @Test("J1 an error of the value is thrown as it is")
    func thrown() {
        expectFoundations(Self.failing)
        expectFoundations([Self.failing])
        expectFoundations(["a": [Self.failing]])
    }

    @Test("J1 a value whose error is caught is left out")
    func caught() {
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: Name.self)
            try object.encode(1, forKey: "a")
            try? object.encode(Self.failing, forKey: "failed")
            try? object.encode(Double.nan, forKey: "nan")
            try? object.encode(Date(timeIntervalSince1970: .nan), forKey: "date")
            try? object.encode(Self.failing, forKey: "a")
            try object.encode([2], forKey: "b")
            var list = object.nestedUnkeyedContainer(forKey: "list")
            try? list.encode(Self.failing)
            try? list.encode(Float.infinity)
            try list.encode(1)
            try list.encode(2)
            try? list.encode(Self.failing)
            try list.encode(3)
        }
        // Foundation traps here: what was encoded before the error stays in its encoder.
        let text = Outcome { try Options().ours.encode(value) }
        #expect(text == .text(#"{"a":1,"b":[2],"list":[1,2,3]}"#))
    }

    @Test("J1 without sorting, a value whose error is caught is left out")
    func caughtUnsorted() {
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: Name.self)
            try? object.encode(Self.failing, forKey: "failed")
            try object.encode(1, forKey: "a")
            try? object.encode(Self.failing, forKey: "a")
        }
        #expect(Outcome { try JSONModelEncoder().encode(value) } == .text(#"{"a":1}"#))
    }

    @Test("J1 coding paths have the keys from the root")
    func paths() throws {
        var seen: [String] = []
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: Name.self)
            let note = { (path: [any CodingKey]) in seen.append(path.map(\.stringValue).joined(separator: "/")) }
            try object.encode(
                [
                    Encoded {
                        note($0.codingPath); try "x".encode(to: $0)
                    }
                ], forKey: "someKey")
            var nested = object.nestedContainer(keyedBy: Name.self, forKey: "nested")
            note(nested.codingPath)
            let superclass = nested.superEncoder()
            note(superclass.codingPath)
            var list = nested.nestedUnkeyedContainer(forKey: "list")
            try list.encode(1)
            try list.encode(Encoded { note($0.unkeyedContainer().codingPath) })
            note(list.superEncoder().codingPath)
            note(object.codingPath)
        }
        let encoders: [() throws -> Data] = [
            { try JSONModelEncoder().encode(value) },
            { try JSONEncoder().encode(value) },
        ]
        let paths = try encoders.map { encode in
            seen = []
            _ = try encode()
            return seen
        }
        #expect(
            paths[0] == [
                "someKey/Index 0", "nested", "nested/super", "nested/list/Index 1", "nested/list/Index 2", "",
            ])
        // Foundation forgets the keys of nested containers for what is encoded into them.
        #expect(paths[1] == ["someKey/Index 0", "nested", "super", "Index 1", "Index 2", ""])
    }

    @Test("J1 a second value in one container throws instead of trapping")
    func misuse() {
        let encoder = JSONModelEncoder()
        let misuses = [
            Encoded { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
            },
            Encoded { encoder in
                var container = encoder.singleValueContainer()
                try container.encode([1])
                try container.encode([2])
            },
            Encoded { encoder in
                var container = encoder.singleValueContainer()
                try container.encode("x")
                var object = encoder.container(keyedBy: Name.self)
                try object.encode(1, forKey: "a")
            },
            Encoded { encoder in
                var list = encoder.unkeyedContainer()
                var object = encoder.container(keyedBy: Name.self)
                try object.encode(1, forKey: "a")
                try list.encode(1)
            },
            Encoded { encoder in
                var object = encoder.container(keyedBy: Name.self)
                _ = object.nestedUnkeyedContainer(forKey: "a")
                _ = object.nestedContainer(keyedBy: Name.self, forKey: "a")
            },
            Encoded { encoder in
                var object = encoder.container(keyedBy: Name.self)
                try object.encode(1, forKey: "a")
                _ = object.nestedContainer(keyedBy: Name.self, forKey: "a")
            },
        ]
        for misuse in misuses { #expect(throws: EncodingError.self) { try encoder.encode(misuse) } }
    }

    private struct Levels: Encodable {
        let count: Int

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            if count > 1 { try list.encode(Levels(count: count - 1)) }
        }
    }

    @Test("J1 as many containers in one another as Foundation allows", arguments: [1, 510, 511, 512, 600])
    func depth(count: Int) {
        expectFoundations(Levels(count: count))
    }

    @Test("J1 a value that encodes itself endlessly throws")
    func endless() {
        struct Endless: Encodable {
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode(self)
            }
        }
        struct EndlessScalar: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
        #expect(throws: EncodingError.self) { try JSONModelEncoder().encode(Endless()) }
        #expect(throws: EncodingError.self) { try JSONModelEncoder().encode(EndlessScalar()) }
    }

    @Test("J1 a million containers in one another throw without using the stack")
    func nestedContainers() {
        let value = Encoded { encoder in
            var list = encoder.unkeyedContainer()
            for _ in 0..<1_000_000 { list = list.nestedUnkeyedContainer() }
        }
        #expect(throws: EncodingError.self) { try JSONModelEncoder().encode(value) }
    }

    @Test("J1 containers that outlive the encoding can be used")
    func escaped() throws {
        var escaped: (any UnkeyedEncodingContainer)?
        _ = try JSONModelEncoder().encode(Encoded { escaped = $0.unkeyedContainer() })
        try escaped?.encode(1)
        #expect(escaped?.count == 1)
    }
}
