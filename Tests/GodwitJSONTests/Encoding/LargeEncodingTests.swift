import Foundation
import GodwitJSON
import Testing

@Suite("Large encodings, which leave their memory to others", .timeLimit(.minutes(15)))
struct LargeEncodingTests {
    private struct Row: Codable, Equatable {
        var id: Int
        var name: String
        var tags: [String]
    }

    private func rows(_ count: Int, _ seed: Int) -> [Row] {
        (0..<count).map { Row(id: $0 ^ seed, name: "row \(seed) \"\($0)\" é", tags: ["a\(seed)", "b"]) }
    }

    @Test("M3 documents of many sizes that tasks encode at once are what they were made of")
    func atOnce() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<8 {
                group.addTask {
                    for count in [1, 300, 40, 3000, 800, 20_000] where count < 20_000 || seed == 0 {
                        let value = rows(count, seed)
                        var encoder = JSONModelEncoder()
                        encoder.outputFormatting = seed % 2 == 0 ? .sortedKeys : []
                        let data = try encoder.encode(value)
                        #expect(try JSONModelDecoder().decode([Row].self, from: data) == value)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "M3 an escape is found at each place of a long text",
        arguments: ["\"", "\\", "\n", "/", "\u{1F}", "é", "\u{7F}"])
    func escapes(mark: String) throws {
        for length in 0..<70 {
            for place in 0...length {
                var text = String(repeating: "x", count: length)
                text.insert(contentsOf: mark, at: text.index(text.startIndex, offsetBy: place))
                let data = try JSONModelEncoder().encode([text])
                #expect(try JSONDecoder().decode([String].self, from: data) == [text])
                #expect(try JSONModelDecoder().decode([String].self, from: data) == [text])
            }
        }
    }

    @Test("M3 a control character and invalid UTF-8 are refused at each place of a long text")
    func refused() {
        for byte: UInt8 in [0x1F, 0x0A, 0xFF, 0x80] {
            for place in 0..<70 {
                var data = Data(#"[""#.utf8) + Data(repeating: 0x78, count: 70) + Data(#""]"#.utf8)
                data[2 + place] = byte
                #expect(throws: DecodingError.self) { try JSONModelDecoder().decode([String].self, from: data) }
            }
        }
    }
}
