import GodwitJSON
import TestSupport
import Testing

@Suite("J2 Elements of random documents", .timeLimit(.minutes(15)))
struct RandomElementsTests {
    @Test("J2 random documents in random chunks have the elements that were written", arguments: 0..<20)
    func random(seed: UInt64) {
        var random = RandomDocument(seed: seed)
        for _ in 0..<50 {
            let (text, path, elements) = random.document()
            let chunks = random.chunks(of: Data(text.utf8))
            let splitting = Splitting(chunks, at: path)
            #expect(splitting.error == nil, "\(path) in \(text)")
            #expect(splitting.elements == elements, "\(path) in \(text)")
        }
    }

    @Test("J2 damaged documents have the same elements and the same error in any chunks", arguments: 0..<20)
    func damaged(seed: UInt64) {
        var random = RandomDocument(seed: seed &+ 1000)
        var failures = 0
        for _ in 0..<100 {
            let (text, path, _) = random.document()
            let data = random.damage(Data(text.utf8))
            let whole = Splitting([data], at: path)
            if whole.error != nil { failures += 1 }
            #expect(Splitting(random.chunks(of: data), at: path) == whole, "\(path) in \(text)")
        }
        #expect(failures > 20)
    }

    @Test("J2 every document that is cut before its last byte is an error")
    func cut() {
        var random = RandomDocument(seed: 7)
        for _ in 0..<20 {
            let (text, path, elements) = random.document()
            let data = Data(text.trimmingSuffix(while: \.isWhitespace).utf8)
            for count in 0..<data.count {
                let splitting = Splitting([data.prefix(count)], at: path)
                #expect(splitting.error != nil)
                #expect(elements.starts(with: splitting.elements))
            }
        }
    }
}

/// Writes random documents with an array at a path.
private struct RandomDocument {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func document() -> (text: String, path: String, elements: [String]) {
        let elements = (0..<random.below(8)).map { _ in value(depth: 3) }
        var text = "[" + elements.map { space() + $0 + space() }.joined(separator: ",") + "]"
        if elements.isEmpty { text = "[" + space() + "]" }
        var path = ""
        for _ in 0..<random.below(4) {
            if random.below(3) == 0 {
                let before = (0..<random.below(3)).map { _ in value(depth: 2) }
                let after = (0..<random.below(3)).map { _ in value(depth: 2) }
                text = "[" + (before + [text] + after).map { space() + $0 + space() }.joined(separator: ",") + "]"
                path = "[\(before.count)]" + (path.isEmpty || path.hasPrefix("[") ? path : ".\(path)")
            } else {
                let members =
                    (0..<random.below(3)).map { _ in member() } + ["\"k\\u0065y\"\(space()):\(space())\(text)"]
                let after = (0..<random.below(3)).map { _ in member() }
                text = "{" + (members + after).map { space() + $0 + space() }.joined(separator: ",") + "}"
                path = "key" + (path.isEmpty || path.hasPrefix("[") ? path : ".\(path)")
            }
        }
        return (space() + text + space(), path, elements)
    }

    private mutating func member() -> String {
        string() + space() + ":" + space() + value(depth: 2)
    }

    private mutating func space() -> String {
        random.pick(["", "", "", " ", "\n", "\t  ", "\r\n"])
    }

    private mutating func string() -> String {
        let pieces = [
            "a", "]}", ",", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "ü", "€", "😀", "long enough for words", " ",
        ]
        return "\"" + (0..<random.below(5)).map { _ in random.pick(pieces) }.joined() + "\""
    }

    private mutating func value(depth: Int) -> String {
        switch random.below(depth > 0 ? 8 : 5) {
        case 0: return string()
        case 1: return random.pick(["0", "-0", "12", "-1.5", "0.25", "1e9", "2E-3", "-7.0e+10"])
        case 2: return random.pick(["true", "false", "null"])
        case 3: return "{}"
        case 4: return "[]"
        case 5, 6:
            let members = (0...random.below(3)).map { _ in string() + ":" + space() + value(depth: depth - 1) }
            return "{" + members.joined(separator: "," + space()) + "}"
        default:
            return "[" + (0...random.below(3)).map { _ in value(depth: depth - 1) }.joined(separator: ",") + "]"
        }
    }

    mutating func chunks(of data: Data) -> [Data] {
        var chunks: [Data] = []
        var rest = data[...]
        while !rest.isEmpty {
            let count = random.below(3) == 0 ? 1 : random.below(40)
            chunks.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return chunks
    }

    /// Changes, removes or inserts a byte.
    mutating func damage(_ data: Data) -> Data {
        var bytes = Array(data)
        let place = random.below(bytes.count)
        let byte = Array("{}[]\",:\\0a \u{1}".utf8 + [0x80, 0xFF])
        switch random.below(3) {
        case 0: bytes[place] = byte[random.below(byte.count)]
        case 1: bytes.remove(at: place)
        default: bytes.insert(byte[random.below(byte.count)], at: place)
        }
        return Data(bytes)
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
