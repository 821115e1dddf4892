@testable import GodwitGenerator
import Testing

@Suite("G2 Samples become an API")
struct SampleReaderTests {
    @Test("G2 debug")
    func debug() throws {
        let samples: [Sample] = [
            .of(
                "GET https://api.birds.example/v1/sightings?page=1&per_page=20",
                #"{"data":[{"id":1,"bird":"wren","notes":null,"place":{"id":3,"name":"Lake"},"seen_at":"2026-05-01T08:00:00Z"},{"id":2,"bird":"owl","notes":"loud","place":{"id":3,"name":"Lake"},"seen_at":"2026-05-01T08:00:00.123+02:00"}],"meta":{"page":1,"next":null}}"#,
                fields: [.init("Authorization", "Bearer abc123secret")]),
            .of(
                "GET https://api.birds.example/v1/sightings/1",
                #"{"data":{"id":1,"bird":"wren","place":{"id":3,"name":"Lake"},"seen_at":"2026-05-01T08:00:00Z","count":3}}"#
            ),
            .of(
                "POST https://api.birds.example/v1/sightings",
                #"{"data":{"id":1,"bird":"wren","notes":null,"place":{"id":3,"name":"Lake"},"seen_at":"2026-05-01T08:00:00Z","count":3}}"#,
                status: 201, request: #"{"bird":"wren","place_id":3}"#),
            .of(
                "PATCH https://api.birds.example/v1/sightings/1",
                #"{"data":{"id":1,"bird":"wren","notes":null,"place":{"id":3,"name":"Lake"},"seen_at":"2026-05-01T08:00:00Z","count":3}}"#,
                request: #"{"notes":"quiet"}"#),
            .of("DELETE https://api.birds.example/v1/sightings/1", status: 204),
            .of(
                "GET https://api.birds.example/v1/sightings/99", #"{"error":{"code":"not_found","message":"no"}}"#,
                status: 404),
            .of(
                "POST https://api.birds.example/v1/auth/login",
                #"{"access_token":"eyJabc.def.ghi","refresh_token":"r-123456","token_type":"Bearer","expires_in":3600}"#,
                request: #"{"email":"a@b.c","password":"hunter22"}"#),
            .of(
                "POST https://api.birds.example/v1/auth/refresh",
                #"{"access_token":"eyJabc.def.ghi","refresh_token":"r-123456","token_type":"Bearer","expires_in":3600}"#,
                request: #"{"refresh_token":"r-123456"}"#),
            .of(
                "GET https://api.birds.example/v1/sightings/1/comments",
                #"[{"id":7,"text":"a","author":{"id":1,"name":"x"},"replies":[{"id":8,"text":"b","author":{"id":1,"name":"x"},"replies":[]}]}]"#
            ),
            .of("GET https://api.birds.example/v1/users/me", #"{"id":1,"name":"x","email":"q@x.y"}"#),
            .of("GET https://api.birds.example/v1/profile", #"{"id":1,"name":"x","email":"q@x.y"}"#),
        ]
        let result = try SampleReader.read(samples, title: nil, guessesEnums: true)
        print(result.title, result.servers)
        for line in SampleOutline.types(result) + SampleOutline.operations(result) { print(line) }
        for note in result.notes { print(note.text) }
        print(result.security, result.operations.map(\.security))
        let all = String(reflecting: result)
        #expect(!all.contains("abc123secret"))
        #expect(!all.contains("hunter22"))
        #expect(!all.contains("r-123456"))
        #expect(!all.contains("eyJabc"))
    }
}
