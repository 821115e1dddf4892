@testable import GodwitGenerator
import Testing

@Suite("G2 Security of OpenAPI")
struct OpenAPISecurityTests {
    @Test("G2 all kinds of security schemes are read")
    func schemes() throws {
        let api = try api(
            operation: "summary: x",
            more: """
                components:
                  securitySchemes:
                    bearer: {type: http, scheme: Bearer, description: D}
                    basic: {type: http, scheme: basic}
                    digest: {type: http, scheme: digest}
                    hoba: {type: http, scheme: hoba}
                    key: {type: apiKey, name: X-Key, in: header}
                    cookie: {type: apiKey, name: sid, in: cookie}
                    openID: {type: openIdConnect, openIdConnectUrl: 'https://h/d'}
                    tls: {type: mutualTLS}
                    oauth:
                      type: oauth2
                      flows:
                        authorizationCode: {authorizationUrl: a, tokenUrl: t, refreshUrl: r, scopes: {read: Read, write: ''}}
                        deviceAuthorization: {deviceAuthorizationUrl: d, tokenUrl: t, scopes: {}}
                        other: {}
                    linked: {$ref: '#/components/securitySchemes/key'}
                    broken: {type: apiKey, in: query}
                    none: {}
                """)
        #expect(
            api.securitySchemes.map(\.name) == [
                "bearer", "basic", "digest", "hoba", "key", "cookie", "openID", "tls", "oauth", "linked",
            ])
        #expect(
            api.securitySchemes.map(\.kind) == [
                .bearer, .basic, .digest, .other("hoba"), .apiKey(name: "X-Key", location: .header),
                .apiKey(name: "sid", location: .cookie), .openID("https://h/d"), .other("mutualTLS"),
                .oauth([
                    OAuthFlow(
                        kind: .authorizationCode, authorizationURL: "a", tokenURL: "t", refreshURL: "r",
                        scopes: [.init(name: "read", summary: "Read"), .init(name: "write", summary: "")]),
                    OAuthFlow(kind: .deviceAuthorization, tokenURL: "t", deviceAuthorizationURL: "d"),
                ]), .apiKey(name: "X-Key", location: .header),
            ])
        #expect(api.securitySchemes.first?.summary == "D")
        #expect(
            api.notes.map(\.text) == [
                "the flow `other` is unknown", "the security scheme `broken` is left out: it is not complete",
                "the security scheme `none` is left out: it is not complete",
            ])
    }

    @Test("G2 requirements are those of the API unless an operation has its own")
    func requirements() throws {
        let api = try api(
            """
            openapi: 3.1.0
            info: {title: T}
            security: [{a: []}, {}]
            paths:
              /a:
                get: {}
                put: {security: []}
                post: {security: [{a: [], b: [x, y]}, {nope: []}]}
                delete: {security: 1}
                patch: {security: [a]}
            components: {securitySchemes: {a: {type: mutualTLS}, b: {type: mutualTLS}}}
            """)
        #expect(
            api.security == [
                SecurityRequirement(schemes: [.init(name: "a")]), SecurityRequirement(),
            ])
        #expect(
            api.operations.map(\.security) == [
                nil, [], [SecurityRequirement(schemes: [.init(name: "a"), .init(name: "b", scopes: ["x", "y"])])], [],
                [],
            ])
        #expect(
            api.noteTexts == [
                "8:43 (#/paths/~1a/post/security/1): unknown security scheme `nope`",
                "9:24 (#/paths/~1a/delete/security): `security` has to be a list, but is a number",
                "10:24 (#/paths/~1a/patch/security/0): the requirement is left out: it has to be an object, but is a string",
            ])
    }
}
