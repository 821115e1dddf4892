import Godwit
import GodwitSigning
import GodwitWire
import Testing

@Suite("HTTP message signatures, by the examples of RFC 9421")
struct RFC9421VectorTests {
    private static func message(_ vector: RFC9421.Vector) throws -> SignedMessage {
        let request = SignedRequest(vector.method, try HTTPURL(vector.url), vector.request)
        guard let status = vector.status.flatMap(HTTPStatus.init) else { return .request(request) }
        return .response(status, vector.response, to: request)
    }

    private static func fields(_ vector: RFC9421.Vector) throws -> SignatureFields {
        try #require(
            try SignatureFields.all(in: [.signatureInput: vector.input, .signature: vector.signature]).first)
    }

    @Test("A8 the base of an example is the RFC's, and its signature is valid", arguments: RFC9421.vectors)
    func verify(vector: RFC9421.Vector) throws {
        let fields = try Self.fields(vector)
        let base = try fields.parameters.base(of: Self.message(vector))
        if let expected = vector.base { #expect(String(decoding: base, as: UTF8.self) == expected) }
        let key = try RFC9421.key(vector.key).verificationKey
        #expect(key.isValid(Data(fields.bytes), of: base))
        #expect(!key.isValid(Data(fields.bytes), of: base + Data([0x20])))
        #expect(!key.isValid(Data(fields.bytes.dropLast()), of: base))
        #expect(!key.isValid(Data(), of: base))
    }

    @Test(
        "A8 an example is signed again: with the same signature if the algorithm has but one",
        arguments: RFC9421.vectors)
    func sign(vector: RFC9421.Vector) throws {
        let fields = try Self.fields(vector)
        let key = try RFC9421.key(vector.key)
        let base = try fields.parameters.base(of: Self.message(vector))
        let signature = try key.signature(of: base)
        #expect(key.verificationKey.isValid(signature, of: base))
        switch key.algorithm {
        case .ed25519, .hmacSHA256, .rsaPKCS1SHA256: #expect(Array(signature) == fields.bytes)
        default: #expect(signature.count == fields.bytes.count)
        }
    }

    @Test("A8 parameters are written in the order of the examples")
    func order() throws {
        let names = ["B.2.1", "B.2.2", "B.2.5", "4.3 proxy"]
        for vector in RFC9421.vectors where names.contains(vector.name) {
            let read = try Self.fields(vector).parameters
            let written = SignatureParameters(
                read.components, created: read.created, keyID: read.keyID, algorithm: read.algorithm,
                expires: read.expires, nonce: read.nonce, tag: read.tag)
            #expect(written.list.text == read.list.text)
        }
    }

    @Test("A8 a change that isn't covered leaves a signature valid, another doesn't (appendix B.4)")
    func transformed() throws {
        let vector = try #require(RFC9421.vectors.first { $0.name == "B.4" })
        let key = try RFC9421.key(.ed25519).verificationKey
        func isValid(_ url: String, _ fields: HTTPFields, method: HTTPMethod = .get) throws -> Bool {
            let signature = try Self.fields(vector)
            let base = try signature.parameters.base(
                of: .request(SignedRequest(method, try HTTPURL(url), fields)))
            return key.isValid(Data(signature.bytes), of: base)
        }
        let url = "https://example.org/demo?name1=Value1&Name2=value2"
        let fields: HTTPFields = ["Accept": "application/json", "Accept": "*/*"]
        #expect(try isValid("\(url)&param=added", fields))
        #expect(try isValid(url, ["Accept": "application/json, */*", "Referer": "https://developer.example.org/demo"]))
        #expect(try !isValid("https://example.com/demo?name1=Value1&Name2=value2", fields, method: .post))
        #expect(try !isValid(url, ["Accept": "*/*", "Accept": "application/json"]))
    }
}
