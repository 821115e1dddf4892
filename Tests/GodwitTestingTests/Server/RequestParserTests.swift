import GodwitCore
import Testing

@testable import GodwitTesting

@Suite("S5 MockServer's parser takes linear time")
struct RequestParserTests {
    private func parse(
        _ bytes: [UInt8], in size: Int, headLimit: Int = 1 << 30
    ) throws -> (heads: Int, content: Int, ends: Int, searched: Int) {
        var parser = RequestParser(headLimit: headLimit)
        var result = (heads: 0, content: 0, ends: 0, searched: 0)
        for start in stride(from: 0, to: bytes.count, by: size) {
            parser.feed(bytes[start..<min(start + size, bytes.count)])
            while let event = try parser.next(upTo: 1 << 20) {
                switch event {
                case .head: result.heads += 1
                case .content(let data): result.content += data.count
                case .end: result.ends += 1
                }
            }
        }
        result.searched = parser.searchedCount
        return result
    }

    @Test(
        "S5 each byte is searched once, however long a line is", arguments: [1, 8, 64],
        ["GET /", "GET / HTTP/1.1\r\nX: "])
    func endless(_ megabytes: Int, _ start: String) throws {
        let bytes = Array(start.utf8) + Array(repeating: UInt8(ascii: "x"), count: megabytes << 20)
        let result = try parse(bytes, in: 16 << 10)
        #expect(result.heads == 0)
        #expect(result.searched <= bytes.count)
    }

    @Test("S5 requests are read however their bytes are cut", arguments: [1, 2, 7, 100_000])
    func cut(_ size: Int) throws {
        let fields = (0..<100).map { "X-\($0): a\r\n" }.joined()
        let chunked =
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\(fields)\r\n5\r\nabcde\r\n1\r\nf\r\n0\r\nT: 1\r\n\r\n"
        let plain = "\r\nPUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nxyz"
        let bytes = Array(String(repeating: chunked + plain, count: 20).utf8)
        let result = try parse(bytes, in: size, headLimit: 10_000)
        #expect(result.heads == 40 && result.ends == 40 && result.content == 20 * 9)
        #expect(result.searched <= bytes.count)
    }

    @Test(
        "S5 a line that never ends is refused at the limit",
        arguments: ["", "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"])
    func limit(_ start: String) {
        let bytes = Array(start.utf8) + Array(repeating: UInt8(ascii: "0"), count: 20_000)
        #expect(throws: RequestFault.self) { try parse(bytes, in: 100, headLimit: 10_000) }
    }
}
