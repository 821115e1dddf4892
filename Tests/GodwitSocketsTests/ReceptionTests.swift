import GodwitCore
import Testing

@testable import GodwitSockets

@Suite("A response as it arrives")
struct ReceptionTests {
    private let url: HTTPURL

    init() throws {
        url = try HTTPURL("https://example.com/")
    }

    private func reception(
        _ fields: HTTPFields, status: Int = 200, _ method: HTTPMethod = .get,
        _ configure: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> (Reception, fault: NetworkError.Kind?) {
        var request = HTTPRequest(method: method, url: url)
        configure(&request)
        var reception = Reception(for: request)
        let length = fields[.contentLength].flatMap { Int64($0) }
        let fault = reception.receive(
            try #require(HTTPStatus(status)), fields, length: length, hasBody: true, to: request)
        return (reception, fault)
    }

    /// Adds bytes; the total that was stored, or why that failed.
    private func add(_ bytes: [UInt8], to reception: inout Reception) -> (total: Int64, fault: NetworkError.Kind?) {
        var stored: Int64 = 0
        let fault = bytes.withUnsafeBytes { bytes in
            reception.receive(bytes) {
                .max
            } store: {
                stored = $1
                return nil
            }
        }
        return (stored, fault)
    }

    @Test("T14 a declared length above a limit is refused before the body")
    func declared() throws {
        let fields: HTTPFields = [.contentLength: "100"]
        #expect(try reception(fields).fault == nil)
        #expect(try reception(fields) { $0.delivery = .buffered(limit: 99) }.fault == .tooLarge(limit: 99))
        #expect(try reception(fields) { $0.options.responseLimit.encoded = 98 }.fault == .tooLarge(limit: 98))
        #expect(try reception(fields) { $0.options.responseLimit.decoded = 97 }.fault == .tooLarge(limit: 97))
        #expect(try reception(fields, .head) { $0.delivery = .buffered(limit: 1) }.fault == nil)
        #expect(try reception(fields, status: 304) { $0.delivery = .buffered(limit: 1) }.fault == nil)
    }

    @Test("T14 the length of an encoded body counts for the encoded limit alone")
    func encoded() throws {
        let fields: HTTPFields = [.contentLength: "100", .contentEncoding: "gzip"]
        let (gzip, fault) = try reception(fields) { $0.delivery = .buffered(limit: 1) }
        #expect(fault == nil && gzip.plainLength == nil)
        #expect(gzip.responseHead?.fields.isEmpty == true)
        #expect(try reception(fields) { $0.options.responseLimit.encoded = 1 }.fault == .tooLarge(limit: 1))
        let (asked, _) = try reception(fields) { $0.fields[.acceptEncoding] = "gzip" }
        #expect(asked.plainLength == 100 && asked.responseHead?.fields.count == 2)
    }

    @Test("T14 received bytes are limited as they arrive")
    func received() throws {
        var (plain, _) = try reception([:]) { $0.options.responseLimit.decoded = 5 }
        #expect(add([1, 2, 3], to: &plain).total == 3)
        #expect(add([4, 5], to: &plain).total == 5)
        #expect(add([6], to: &plain).fault == .tooLarge(limit: 5))
        #expect(plain.encodedBytes == 6)
    }

    @Test("T14 an encoded body has to reach its end, and damage is an error")
    func decoding() throws {
        var (cut, _) = try reception([.contentEncoding: "gzip"])
        #expect(cut.decodingLack == nil)
        #expect(add([0x1F, 0x8B, 8, 0], to: &cut).fault == nil)
        #expect(cut.decodingLack == "the compressed body is incomplete")
        var (damaged, _) = try reception([.contentEncoding: "gzip"])
        guard case .invalidResponse = add([1, 2, 3], to: &damaged).fault else {
            Issue.record("damage was accepted")
            return
        }
    }
}
