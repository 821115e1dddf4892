import GodwitCore
import Testing

@testable import GodwitTesting

@Suite("X3 MockServer's parser")
struct RequestParserTests {
    private func parse(
        _ bytes: [UInt8], in size: Int, headLimit: Int = 1 << 30
    ) throws -> (heads: Int, content: Int, ends: Int) {
        var parser = RequestParser(headLimit: headLimit)
        var result = (heads: 0, content: 0, ends: 0)
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
        return result
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
    }

    private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test(
        "X3 bodies in chunks are as strict as heads",
        arguments: [
            "3\nabc\r\n0\r\n\r\n", "3\r\nabc\n0\r\n\r\n", "0\n\r\n", "0\r\n\n", "0\r\nX: 1\n\r\n",
            "0\r\nX: 1\r\n folded\r\n\r\n", "0\r\nX : 1\r\n\r\n", "1000000000000000\r\n",
        ])
    func strict(_ body: String) {
        #expect(throws: RequestFault.self) { try parse(Array((Self.chunked + body).utf8), in: 100) }
    }

    @Test(
        "S5 a line that never ends is refused at the limit",
        arguments: ["", "GET / HTTP/1.1\r\n", chunked, chunked + "0\r\nX: "])
    func limit(_ start: String) {
        let bytes = Array(start.utf8) + Array(repeating: UInt8(ascii: "0"), count: 20_000)
        #expect(throws: RequestFault.self) { try parse(bytes, in: 100, headLimit: 10_000) }
    }
}
