@testable import GodwitWire
import Testing

@Suite("C1 Vary")
struct VaryKeyTests {
    private func matches(_ vary: String, _ first: HTTPFields, _ second: HTTPFields) -> Bool {
        VaryKey.make(vary: [.vary: vary], request: first) == VaryKey.make(vary: [.vary: vary], request: second)
    }

    @Test("C1 RFC 9111 4.1 requests match when all named fields are the same")
    func same() {
        #expect(matches("Accept", [.accept: "a", "X": "1"], [.accept: "a", "X": "2"]))
        #expect(!matches("Accept", [.accept: "a"], [.accept: "b"]))
        #expect(!matches("Accept, X", [.accept: "a", "X": "1"], [.accept: "a", "X": "2"]))
    }

    @Test("C1 RFC 9111 4.1 a field that is missing matches only one that is missing")
    func missing() {
        #expect(matches("X", [:], [.accept: "a"]))
        #expect(!matches("X", [:], ["X": ""]))
        #expect(!matches("X", [:], ["X": "1"]))
    }

    @Test("C1 RFC 9111 4.1 blanks around commas, repetition, order and case of names make no difference")
    func normalised() {
        #expect(matches("Accept", [.accept: "a , b"], [.accept: "a,b"]))
        #expect(matches("Accept", [.accept: "a", .accept: "b"], [.accept: "a, b"]))
        #expect(
            VaryKey.make(vary: [.vary: "X, Accept"], request: ["x": "1"])
                == VaryKey.make(vary: [.vary: "ACCEPT", .vary: "x"], request: ["X": "1"]))
        #expect(!matches("Accept", [.accept: "a, b"], [.accept: "b, a"]))
        #expect(!matches("X", ["X": "\"a, b\""], ["X": "\"a,b\""]))
    }

    @Test("C1 RFC 9111 4.1 a value cannot pass for another field")
    func injection() {
        #expect(!matches("a, b", ["a": "1\tb: 2"], ["a": "1", "b": "2"]))
    }

    @Test("C1 RFC 9111 4.1 Vary: * matches nothing")
    func star() {
        #expect(VaryKey.make(vary: [.vary: "*"], request: [:]) == nil)
        #expect(!CachedResponse.sample([.vary: "*"]).matches([:]))
    }

    @Test("C1 RFC 9111 4.1 of several that match the latest is taken")
    func latest() {
        let old = CachedResponse.sample([.date: Moment.text(-90), .etag: "old"])
        let new = CachedResponse.sample([.date: Moment.text(-10), .etag: "new"])
        #expect([new, old].selected(for: [:])?.fields[.etag] == "new")
        #expect([old, new].selected(for: [:])?.fields[.etag] == "new")
    }
}
