import GodwitCore
import Testing

@testable import GodwitGraphQL

@Suite("S5 multipart/mixed takes linear time")
struct MultipartParserTests {
    /// Feeds a body in chunks; the parts, and how many bytes were searched.
    private func parse(
        _ body: Data, in size: Int, limit: Int = 100 << 20
    ) throws -> (parts: [Data], searched: Int, isFinished: Bool) {
        var parser = MultipartMixedParser(boundary: "edge", limit: limit)
        var parts: [Data] = []
        var rest = body[...]
        while !rest.isEmpty {
            parser.append(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
            while let part = try parser.next() { parts.append(part) }
        }
        return (parts, parser.searchedCount, parser.isFinished)
    }

    private static func part(_ body: String) -> String { "--edge\r\nContent-Type: a/b\r\n\r\n\(body)\r\n" }

    @Test(
        "S5 each byte is searched once, however long a line is", arguments: [1, 4],
        ["", "--edge", "--edge\r\n", "\r\n--edg"])
    func endless(_ megabytes: Int, _ start: String) throws {
        let body = Data(start.utf8) + Data(repeating: UInt8(ascii: "x"), count: megabytes << 20)
        let (parts, searched, isFinished) = try parse(body, in: 16 << 10)
        #expect(parts.isEmpty && !isFinished)
        #expect(searched <= body.count + 8)
    }

    @Test("S5 neither small chunks, nor many parts, nor almost boundaries cost more", arguments: [1, 7, 1 << 20])
    func small(_ size: Int) throws {
        let text = (0..<2000).map { Self.part("{\"n\":\($0)}\r\n--edg\r\n\r\r\n") }.joined() + "--edge--"
        let (parts, searched, isFinished) = try parse(Data(text.utf8), in: size)
        #expect(parts.count == 2000 && isFinished)
        #expect(parts.last == Data("{\"n\":1999}\r\n--edg\r\n\r\r\n".utf8.dropLast(0)))
        #expect(searched <= text.utf8.count + 8)
    }

    @Test(
        "S5 a line that never ends is too large at the limit",
        arguments: ["", "--edge", "--edge\r\n", "--edge\r\n\r\n"])
    func limit(_ start: String) {
        let body = Data(start.utf8) + Data(repeating: UInt8(ascii: "x"), count: 200_000)
        #expect(throws: MultipartMixedParser.TooLarge.self) { try parse(body, in: 1000, limit: 100_000) }
    }
}
