import GodwitWire
import Testing

@Suite("A5 the answer of an authorization server")
struct AuthorizationResponseTests {
    private static let foreignState = AuthorizationResponse.foreign(
        reason: "the state of the response does not match the request")

    @Test(
        "A5 codes, refusals and foreign answers",
        arguments: [
            ("code=a%2Bb+c&state=s1", .code("a+b c")),
            ("state=s1&code=x&iss=https://auth.example.com", .code("x")),
            ("error=access_denied&state=s1", .refused(error: "access_denied", detail: nil)),
            (
                "error=x&error_description=not+now&state=s1&code=y",
                .refused(error: "x", detail: "not now")
            ),
            ("code=x", foreignState), ("code=x&state=s2", foreignState), ("code=x&state=", foreignState),
            ("code=x&state=s1&state=s1", foreignState), ("", foreignState), ("error=access_denied", foreignState),
            ("state=s1&code=x&iss=https://evil.example.com", .foreign(reason: "the response is from another issuer")),
            ("state=s1", .foreign(reason: "the response has neither a code nor an error")),
            ("state=s1&code=", .foreign(reason: "the response has neither a code nor an error")),
            ("state=s1&code=x&code=y", .foreign(reason: "the response has neither a code nor an error")),
        ] as [(String, AuthorizationResponse)])
    func answers(query: String, answer: AuthorizationResponse) {
        #expect(AuthorizationResponse(query: query, state: "s1", issuer: "https://auth.example.com") == answer)
    }

    @Test(
        "A5 an issuer is checked wherever it is named, and required where the server announces it",
        arguments: [
            ("", false, nil, true), ("", true, nil, false), ("", true, "https://a", false),
            ("", false, "https://a", true),
            ("&iss=https://a", true, "https://a", true), ("&iss=https://a", false, nil, true),
            ("&iss=https://a", true, nil, false), ("&iss=https://b", false, "https://a", false),
            ("&iss=https://a&iss=https://a", false, "https://a", false), ("&iss=", false, "https://a", false),
            ("&iss=https://a/", false, "https://a", false),
        ] as [(String, Bool, String?, Bool)])
    func issuers(query: String, isRequired: Bool, issuer: String?, isAccepted: Bool) {
        for (outcome, expected) in [
            ("code=x", AuthorizationResponse.code("x")), ("error=e", .refused(error: "e", detail: nil)),
        ] {
            let answer = AuthorizationResponse(
                query: "\(outcome)&state=s1\(query)", state: "s1", issuer: issuer, requiresIssuer: isRequired)
            #expect((answer == expected) == isAccepted)
        }
    }
}
