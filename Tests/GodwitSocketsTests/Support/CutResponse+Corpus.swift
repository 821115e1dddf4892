import Godwit

extension CutResponse {
    static let corpus = framed + interim + heads + brokenLengths + brokenChunks

    /// Those whose end the server states rightly.
    static let framed = lengths + chunked + closed + withoutBody

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let inChunks = ok + "Transfer-Encoding: chunked\r\n\r\n▸"

    private static let lengths = [
        CutResponse("a length", ok + "Content-Length: 5\r\n\r\n▸knots■", body: "knots"),
        CutResponse("a length of zero", ok + "Content-Length: 0\r\n\r\n▸■"),
        CutResponse("one length in two fields", ok + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n▸ok■", body: "ok"),
        CutResponse("one length twice in a field", ok + "Content-Length: 2, 2\r\n\r\n▸ok■", body: "ok"),
        CutResponse("a length of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n▸ebb■", body: "ebb"),
        CutResponse(
            "bytes after the end", ok + "Content-Length: 3\r\n\r\n▸ebb■HTTP/1.1 200 OK\r\n\r\nflow", body: "ebb"),
        CutResponse(
            "line breaks in the body", ok + "Content-Length: 8\r\n\r\n▸\r\n\r\n0\r\n\r■", body: "\r\n\r\n0\r\n\r"),
        CutResponse(
            "gzip of a length",
            ok + "Content-Encoding: gzip\r\nContent-Length: 27\r\n\r\n▸\(gzipOfTide)■", body: "tide"),
        CutResponse(
            "an error with a body", "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\n▸none■", status: 404,
            body: "none"),
    ]

    private static let chunked = [
        CutResponse("one chunk", inChunks + "5\r\nknots\r\n0\r\n\r\n■", body: "knots"),
        CutResponse("no chunk", inChunks + "0\r\n\r\n■"),
        CutResponse("three chunks", inChunks + "1\r\na\r\n02\r\nbc\r\n000\r\n\r\n■", body: "abc"),
        CutResponse("a size in hexadecimal", inChunks + "B\r\nbar-tailed!\r\n0\r\n\r\n■", body: "bar-tailed!"),
        CutResponse(
            "extensions", inChunks + "3;a;b=\"c;d\"\r\nebb\r\n2 ; e=f\r\nok\r\n0;g\r\n\r\n■", body: "ebbok"),
        CutResponse(
            "trailers", inChunks + "3\r\nebb\r\n0\r\nX-Sum: 7\r\nX-Tide: low\r\n\r\n■", body: "ebb",
            trailers: ["X-Sum": "7", "X-Tide": "low"]),
        CutResponse("line breaks in a chunk", inChunks + "7\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n■", body: "\r\n0\r\n\r\n"),
        CutResponse("bytes after the last chunk", inChunks + "1\r\na\r\n0\r\n\r\n■1\r\nb\r\n", body: "a"),
        CutResponse(
            "chunks and a length", ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n▸2\r\nok\r\n0\r\n\r\n■",
            body: "ok"),
    ]

    private static let closed = [
        CutResponse("HTTP/1.0 until the end", "HTTP/1.0 200 OK\r\nX: y\r\n\r\n▸◂ebb and flow", body: "ebb and flow"),
        CutResponse("HTTP/1.1 until the end", ok + "Connection: close\r\n\r\n▸◂\r\n\r\n0\r\n", body: "\r\n\r\n0\r\n"),
        CutResponse("identity until the end", ok + "Transfer-Encoding: identity\r\n\r\n▸◂ebb", body: "ebb"),
        CutResponse("gzip until the end", ok + "Content-Encoding: gzip\r\n\r\n▸●\(gzipOfTide)●", body: "tide"),
    ]

    private static let withoutBody = [
        CutResponse("204", "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n▸■", status: 204),
        CutResponse("204 with bytes", "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n▸■ebb", status: 204),
        CutResponse("304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n▸■", status: 304),
        CutResponse("HEAD with a length", ok + "Content-Length: 5\r\n\r\n▸■", to: .head),
        CutResponse("HEAD with chunks", ok + "Transfer-Encoding: chunked\r\n\r\n▸■", to: .head),
        CutResponse("HEAD of HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n▸■", to: .head),
    ]

    private static let interim = [
        CutResponse(
            "100 before the head", "HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 2\r\n\r\n▸ok■", body: "ok"),
        CutResponse(
            "103 with a length, twice",
            "HTTP/1.1 103 Hints\r\nContent-Length: 9\r\n\r\nHTTP/1.1 103 Hints\r\nLink: <a>\r\n\r\n"
                + "HTTP/1.1 204 None\r\n\r\n▸■", status: 204),
        CutResponse("100 and nothing", "HTTP/1.1 100 Continue\r\n\r\n"),
        CutResponse("101 that wasn't asked for", "HTTP/1.1 101 Switching\r\nUpgrade: tide\r\n\r\n✗"),
    ]

    private static let heads = [
        CutResponse("lines that end with LF", "HTTP/1.1 200 OK\nContent-Length: 2\n\n▸ok■", body: "ok"),
        CutResponse("no reason, and spaces", "HTTP/1.1 200\r\nContent-Length:\t2  \r\nX:\r\n\r\n▸ok■", body: "ok"),
        CutResponse("a folded line", ok + "X: a\r\n b\r\n\tc\r\nContent-Length: 1\r\n\r\n▸k■", body: "k"),
        CutResponse("a value of Latin-1", ok + "X: \u{E9}\u{FF}\r\nContent-Length: 1\r\n\r\n▸k■", body: "k"),
        CutResponse("another protocol", "2✗20 tide.example ESMTP\r\n"),
        CutResponse("HTTP/2 in text", "HTTP/2✗ 200 OK\r\nContent-Length: 0\r\n\r\n"),
        CutResponse("an empty line first", "\r✗\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        CutResponse("a status in letters", "HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n✗"),
        CutResponse("a status of four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n✗"),
        CutResponse("a space before the colon", ok + "X : y\r\nContent-Length: 0\r\n\r\n✗"),
        CutResponse("a line without a colon", ok + "ebb\r\nContent-Length: 0\r\n\r\n✗"),
        CutResponse("a folded line first", ok + " a: b\r\nContent-Length: 0\r\n\r\n✗"),
        CutResponse("NUL in a value", ok + "X: a\u{0}b\r\nContent-Length: 0\r\n\r\n✗"),
        CutResponse("CR in a value", ok + "X: a\rb\r\nContent-Length: 0\r\n\r\n✗"),
    ]

    private static let brokenLengths = [
        CutResponse("two lengths", ok + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n✗ebb"),
        CutResponse("two lengths in a field", ok + "Content-Length: 2, 3\r\n\r\n✗ebb"),
        CutResponse("a negative length", ok + "Content-Length: -2\r\n\r\n✗ok"),
        CutResponse("a length in hexadecimal", ok + "Content-Length: 0x2\r\n\r\n✗ok"),
        CutResponse("a length that overflows", ok + "Content-Length: 99999999999999999999\r\n\r\n✗ok"),
        CutResponse("an unknown coding", ok + "Transfer-Encoding: tide\r\n\r\n✗ok"),
        CutResponse("chunks that aren't last", ok + "Transfer-Encoding: chunked, gzip\r\n\r\n✗2\r\nok"),
    ]

    private static let brokenChunks = [
        CutResponse("a size in letters", inChunks + "x✗yz\r\nabc\r\n0\r\n\r\n"),
        CutResponse("a size with a prefix", inChunks + "0x✗3\r\nabc\r\n0\r\n\r\n"),
        CutResponse("a negative size", inChunks + "-✗1\r\na\r\n0\r\n\r\n"),
        CutResponse("no size", inChunks + "\r✗\nabc\r\n"),
        CutResponse("a size that overflows", inChunks + "ffffffffffffffff✗f\r\nabc\r\n"),
        CutResponse("a chunk without its line break", inChunks + "3\r\nabcd✗e\r\n0\r\n\r\n", body: "abc"),
        CutResponse("a second chunk without a size", inChunks + "1\r\na\r\n;✗b\r\nc\r\n0\r\n\r\n", body: "a"),
        CutResponse("a trailer without a colon", inChunks + "1\r\na\r\n0\r\nebb\r\n\r\n✗", body: "a"),
    ]

    /// Gzip (RFC 1952) of `tide` in one stored block.
    private static let gzipOfTide =
        "\u{1F}\u{8B}\u{8}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{FF}\u{1}\u{4}\u{0}\u{FB}\u{FF}tide\u{C}\u{23}\u{56}\u{BE}"
        + "\u{4}\u{0}\u{0}\u{0}"
}
