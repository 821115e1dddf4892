import GodwitWire
import Testing

@Suite struct HTTPStatusTests {
    @Test(
        "a status has its class",
        arguments: [
            (100, HTTPStatus.Kind.informational), (199, .informational), (200, .successful), (299, .successful),
            (300, .redirection), (399, .redirection), (400, .clientError), (499, .clientError), (500, .serverError),
            (599, .serverError), (600, .unknown), (999, .unknown),
        ])
    func kinds(code: Int, kind: HTTPStatus.Kind) throws {
        let status = try #require(HTTPStatus(code))
        #expect(status.kind == kind)
        #expect(status.isSuccessful == (kind == .successful))
        #expect(status.description == "\(code)")
    }

    @Test("a code without three digits isn't a status", arguments: [0, 99, 1000, -200, .min, .max])
    func outOfRange(code: Int) {
        #expect(HTTPStatus(code) == nil)
    }

    @Test(
        "1xx, 204 and 304 have no content",
        arguments: [(100, true), (103, true), (200, false), (204, true), (205, false), (304, true), (404, false)])
    func content(code: Int, forbids: Bool) throws {
        #expect(try #require(HTTPStatus(code)).forbidsContent == forbids)
    }

    @Test("named statuses have the codes of RFC 9110")
    func names() {
        let codes: [HTTPStatus] = [.ok, .created, .noContent, .found, .notModified, .notFound, .tooManyRequests]
        #expect(codes.map(\.code) == [200, 201, 204, 302, 304, 404, 429])
        #expect(HTTPStatus(404) == .notFound)
    }
}
