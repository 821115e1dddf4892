@testable import GodwitGenerator
import Testing

@Suite("G2 Names in Swift")
struct SwiftNameTests {
    @Test(
        "G2 names of types start with a capital, without separators",
        arguments: [
            ("special_event", "SpecialEvent"), ("special-event", "SpecialEvent"), ("specialEvent", "SpecialEvent"),
            ("HTTPValidationError", "HTTPValidationError"), ("admin.api_key", "AdminApiKey"), ("3d-model", "_3DModel"),
            ("3DModel", "_3DModel"), ("2_4", "_24Value"),
            ("", "Empty"), ("日本語", "日本語Value"), ("Body_upload__post", "BodyUploadPost"), ("a/b", "AB"),
        ])
    func types(_ text: String, _ name: String) {
        #expect(SwiftName.type(text) == name)
    }

    @Test(
        "G2 names of members start with a small letter",
        arguments: [
            ("author_id", "authorId"), ("authorID", "authorID"), ("ID", "id"), ("URL", "url"),
            ("HTTPStatus", "httpStatus"),
            ("X-Request-ID", "xRequestID"), ("+1", "plus1"), ("-1", "minus1"), ("@type", "type"), ("$ref", "ref"),
            ("hate/threatening", "hateThreatening"), ("256x256", "_256x256"), ("3DModel", "_3dModel"), ("2FA", "_2fa"),
            ("in_review", "inReview"), ("*", "all"),
            ("_links", "links"), ("iOS", "iOS"), ("created at", "createdAt"),
        ])
    func members(_ text: String, _ name: String) {
        #expect(SwiftName.member(text) == name)
    }

    @Test("G2 a name of signs only is still a name", arguments: ["???", "💥", "\u{202E}", "-", "__"])
    func signs(_ text: String) {
        let name = SwiftName.member(text)
        #expect(!name.isEmpty)
        #expect(name.unicodeScalars.first?.properties.isXIDStart == true || name.hasPrefix("_"))
    }

    @Test("G2 a huge name is cut")
    func huge() {
        #expect(SwiftName.member(String(repeating: "a", count: 10_000)).count <= 200)
    }

    @Test(
        "G2 keys that snake case changes are known",
        arguments: [
            ("author_id", true), ("id", true), ("sha256_sum", true), ("authorId", false), ("e-mail", false),
            ("_id", false),
            ("id_", false), ("address_1", false), ("a__b", false), ("Größe", false), ("", false),
        ])
    func snakeCase(_ key: String, _ roundTrips: Bool) {
        #expect(SnakeCaseKey.roundTrips(key) == roundTrips)
    }

    @Test(
        "G2 elements have the singular of the array's name",
        arguments: [
            ("articles", "article"), ("categories", "category"), ("people", "person"), ("statuses", "status"),
            ("addresses", "address"), ("series", "series"), ("news", "news"), ("special_events", "special_event"),
            ("boxes", "box"), ("data", "data"), ("SpecialEvents", "SpecialEvent"), ("children", "child"),
            ("analysis", "analysis"), ("movies", "movie"), ("heroes", "hero"), ("userIDs", "userID"),
            ("glass", "glass"), ("", ""),
        ])
    func singular(_ plural: String, _ singular: String) {
        #expect(EnglishNoun.singular(ofName: plural) == singular)
    }

    @Test("G2 a name that is taken gets a number; types may not differ in case alone")
    func taken() {
        var members = NameTable.members()
        #expect(
            [members.take("id"), members.take("id"), members.take("ID"), members.take("id")] == [
                "id", "id2", "ID", "id3",
            ])
        var types = NameTable.types(["Data"])
        #expect(
            [types.take("data"), types.take("Article"), types.take("ARTICLE")] == ["data2", "Article", "ARTICLE2"])
    }
}
