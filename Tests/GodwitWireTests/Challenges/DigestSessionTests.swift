import GodwitSupport
import GodwitWire
import Testing

@Suite("T8 digest answers")
struct DigestSessionTests {
    private static func challenge(_ text: String) throws -> DigestChallenge {
        try #require(AuthenticationChallenge.parse([text]).first.flatMap { DigestChallenge($0) })
    }

    private static func parameters(_ answer: String) throws -> [String: String] {
        try #require(AuthenticationChallenge.parse([answer]).first).parameters
    }

    private static let realm = """
        Digest realm="http-auth@example.org", qop="auth, auth-int", \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """

    @Test(
        "T8 the examples of RFC 7616 section 3.9.1",
        arguments: [
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ])
    func examples(algorithm: String, response: String) throws {
        let challenge = try Self.challenge("\(Self.realm), algorithm=\(algorithm)")
        var session = DigestSession(challenge, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        let answer = session.answer(
            user: "Mufasa", password: "Circle of Life", method: .get, target: "/dir/index.html")
        #expect(
            answer == """
                Digest username="Mufasa", realm="http-auth@example.org", \
                nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", \
                response="\(response)", algorithm=\(algorithm), \
                opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, \
                cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
                """)
    }

    @Test("T8 the example of RFC 2617 section 3.5, which names no algorithm")
    func older() throws {
        let challenge = try Self.challenge(
            "Digest realm=\"testrealm@host.com\", qop=\"auth,auth-int\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"")
        var session = DigestSession(challenge, clientNonce: "0a4f113b")
        let parameters = try Self.parameters(
            session.answer(user: "Mufasa", password: "Circle Of Life", method: .get, target: "/dir/index.html"))
        #expect(parameters["response"] == "6629fae49393a05397450978507c4ef1")
        #expect(parameters["algorithm"] == nil)
    }

    @Test("T8 without qop there is no counter (RFC 2069)")
    func withoutQuality() throws {
        let challenge = try Self.challenge("Digest realm=r, nonce=n")
        var session = DigestSession(challenge, clientNonce: "c")
        let parameters = try Self.parameters(session.answer(user: "u", password: "p", method: .get, target: "/"))
        let key = Self.md5("u:r:p")
        #expect(parameters["response"] == Self.md5("\(key):n:\(Self.md5("GET:/"))"))
        #expect(parameters["nc"] == nil && parameters["qop"] == nil && parameters["cnonce"] == nil)
    }

    @Test("T8 a session's key is made once, and the counter continues")
    func sessionKey() throws {
        let challenge = try Self.challenge("Digest realm=r, nonce=n, qop=auth, algorithm=MD5-sess")
        var session = DigestSession(challenge, clientNonce: "c")
        let key = Self.md5("\(Self.md5("u:r:p")):n:c")
        for counter in ["00000001", "00000002"] {
            let parameters = try Self.parameters(session.answer(user: "u", password: "p", method: .put, target: "/a?b"))
            #expect(parameters["nc"] == counter)
            #expect(parameters["response"] == Self.md5("\(key):n:\(counter):c:auth:\(Self.md5("PUT:/a?b"))"))
        }
        session.note(authenticationInfo: "rspauth=\"x\", nextnonce=\"m\"")
        let parameters = try Self.parameters(session.answer(user: "u", password: "p", method: .put, target: "/a?b"))
        #expect(parameters["nc"] == "00000001" && parameters["nonce"] == "m")
        #expect(parameters["response"] == Self.md5("\(key):m:00000001:c:auth:\(Self.md5("PUT:/a?b"))"))
    }

    @Test("T8 an information field without a next nonce changes nothing", arguments: [nil, "", "rspauth=\"x\"", ",,="])
    func noNextNonce(field: String?) throws {
        var session = DigestSession(try Self.challenge("Digest realm=r, nonce=n, qop=auth"), clientNonce: "c")
        _ = session.answer(user: "u", password: "p", method: .get, target: "/")
        session.note(authenticationInfo: field)
        let parameters = try Self.parameters(session.answer(user: "u", password: "p", method: .get, target: "/"))
        #expect(parameters["nonce"] == "n" && parameters["nc"] == "00000002")
    }

    @Test("T8 userhash hides the name")
    func userHash() throws {
        let challenge = try Self.challenge("Digest realm=\"r\", nonce=n, qop=auth, userhash=true, charset=UTF-8")
        var session = DigestSession(challenge, clientNonce: "c")
        let answer = session.answer(user: "Jäsøn", password: "p", method: .get, target: "/")
        let parameters = try Self.parameters(answer)
        #expect(parameters["username"] == Self.md5("Jäsøn:r"))
        #expect(parameters["userhash"] == "true")
        #expect(!answer.contains("Jäsøn"))
    }

    @Test("T8 names with quotes are quoted, names outside ASCII are encoded")
    func names() throws {
        let challenge = try Self.challenge("Digest realm=\"a \\\"b\\\"\", nonce=n, qop=auth")
        var session = DigestSession(challenge, clientNonce: "c")
        let quoted = session.answer(user: "a\\b\"c", password: "p", method: .get, target: "/")
        #expect(quoted.contains("username=\"a\\\\b\\\"c\", realm=\"a \\\"b\\\"\""))
        let encoded = session.answer(user: "Jäsøn", password: "p", method: .get, target: "/")
        #expect(encoded.contains("username*=UTF-8''J%C3%A4s%C3%B8n, "))
    }

    @Test(
        "T8 unsupported challenges are ignored",
        arguments: [
            "Basic realm=a", "Digest realm=a", "Digest nonce=a", "Digest realm=a, nonce=b, algorithm=SHA-512-256",
            "Digest realm=a, nonce=b, qop=auth-int",
        ])
    func unanswerable(text: String) throws {
        let challenge = try #require(AuthenticationChallenge.parse([text]).first)
        #expect(DigestChallenge(challenge) == nil)
    }

    @Test("T8 an empty qop is none: the answer is that of RFC 2069")
    func emptyQuality() throws {
        let challenge = try Self.challenge("Digest realm=a, nonce=b, qop=\"\"")
        var session = DigestSession(challenge, clientNonce: "c")
        let answer = session.answer(user: "u", password: "p", method: .get, target: "/")
        let secret = Self.md5("\(Self.md5("u:a:p")):b:\(Self.md5("GET:/"))")
        #expect(answer.contains("response=\"\(secret)\"") && !answer.contains("qop"))
    }

    private static func md5(_ text: String) -> String {
        Hexadecimal.encode(MD5.hash(text.utf8))
    }
}
