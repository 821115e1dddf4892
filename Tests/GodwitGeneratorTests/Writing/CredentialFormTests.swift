@testable import GodwitGenerator
import Testing

@Suite("G2 Credentials of security schemes")
struct CredentialFormTests {
    private func text(_ kind: SecurityScheme.Kind) -> String {
        var plan = LibraryPlan.only(LibraryPlan.books)
        plan.credentials = [
            CredentialPlan(name: "login", scheme: SecurityScheme(name: "login", kind: kind), isDefault: true)
        ]
        return CredentialWriter(plan: plan, options: GeneratorOptions()).files.first?.text ?? ""
    }

    @Test(
        "G2 each scheme sets what the client sends",
        arguments: [
            (SecurityScheme.Kind.bearer, ".credential(.bearer(token))"),
            (.basic, ".credential(.basic(user: user, password: password))"),
            (.digest, "Challenges { _ in PasswordCredential(user: user, password: password) }"),
            (.apiKey(name: "key", location: .query), ".credential(.apiKey(key, queryItem: \"key\"))"),
            (.apiKey(name: "sid", location: .cookie), ".apiKey(\"sid=\\(key)\", field: \"Cookie\")"),
            (.openID("https://id.example.com/.well-known/openid-configuration"), "issuer: \"https://id.example.com\""),
        ])
    func schemes(kind: SecurityScheme.Kind, statement: String) {
        #expect(text(kind).contains(statement))
    }

    @Test("G2 a flow of OAuth has its server and scopes, also relative to the API")
    func oauth() {
        var flow = OAuthFlow(kind: .clientCredentials)
        flow.tokenURL = "token"
        flow.scopes = [.init(name: "read", summary: "Reads")]
        let text = text(.oauth([flow]))
        #expect(text.contains("case login(TokenRefresher)"))
        #expect(text.contains("OAuthServer(tokenURL: try base.resolving(\"token\"))"))
        #expect(text.contains("static let loginScopes = [\"read\"]"))
        #expect(text.hasPrefix("public import Godwit\npublic import GodwitOAuth\n"))
    }

    @Test("G2 only a client that signs in by OAuth depends on its product")
    func product() {
        var flow = OAuthFlow(kind: .clientCredentials)
        flow.tokenURL = "token"
        for (kind, isNeeded) in [(SecurityScheme.Kind.oauth([flow]), true), (.bearer, false)] {
            var plan = LibraryPlan.only(LibraryPlan.books)
            let scheme = SecurityScheme(name: "a", kind: kind)
            plan.credentials = [CredentialPlan(name: "login", scheme: scheme, isDefault: true)]
            let files = ManifestWriter(plan: plan, options: GeneratorOptions(), dependency: .path("../godwit")).files
            #expect(files.map { $0.text.contains("GodwitOAuth") } == [isNeeded])
            #expect(CredentialWriter(plan: plan, options: GeneratorOptions()).usesOAuth == isNeeded)
        }
    }

    @Test("G2 schemes that can't be sent are noted")
    func omissions() {
        var plan = LibraryPlan.only(LibraryPlan.books)
        plan.credentials = [
            CredentialPlan(
                name: "field", scheme: SecurityScheme(name: "a", kind: .apiKey(name: "X Key\r\n", location: .header)),
                isDefault: true),
            CredentialPlan(name: "other", scheme: SecurityScheme(name: "b", kind: .other("hoba")), isDefault: false),
            CredentialPlan(
                name: "implicit", scheme: SecurityScheme(name: "c", kind: .oauth([OAuthFlow(kind: .implicit)])),
                isDefault: false),
        ]
        let notes = CredentialWriter(plan: plan, options: GeneratorOptions()).notes.map(\.text)
        #expect(
            notes == [
                "The credential `a` can't be sent: add it in `configure`",
                "The credential `b` can't be sent: add it in `configure`",
                "`c` has no flow that the library signs in with: pass the token",
            ])
    }
}
