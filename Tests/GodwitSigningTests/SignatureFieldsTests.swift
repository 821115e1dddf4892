import GodwitSigning
import Testing

@Suite("The fields of message signatures")
struct SignatureFieldsTests {
    private static let parameters = SignatureParameters([.method], created: Date(timeIntervalSince1970: 1), keyID: "k")

    @Test("A8 a signature is added to the others of a message, and read back (RFC 9421 section 4)")
    func adding() throws {
        var fields: HTTPFields = [:]
        try SignatureFields(label: "sig1", parameters: Self.parameters, bytes: [1, 2]).add(to: &fields)
        try SignatureFields(label: "proxy_sig", parameters: SignatureParameters([]), bytes: [3]).add(to: &fields)
        #expect(fields[.signatureInput] == "sig1=(\"@method\");created=1;keyid=\"k\", proxy_sig=()")
        #expect(fields[.signature] == "sig1=:AQI=:, proxy_sig=:Aw==:")
        let found = try SignatureFields.all(in: fields)
        #expect(found.map(\.label) == ["sig1", "proxy_sig"])
        #expect(found.first?.parameters == Self.parameters)
        #expect(found.first?.parameters.keyID == "k")
        #expect(found.first?.parameters.created == Date(timeIntervalSince1970: 1))
        #expect(found.map(\.bytes) == [[1, 2], [3]])
        #expect(try SignatureFields.all(in: [:]) == [])
    }

    @Test(
        "A8 fields that don't belong together are refused",
        arguments: [
            ("a=()", "b=:AA==:", "Signature-Input and Signature have different labels"),
            ("a=()", "", "Signature-Input and Signature have different labels"),
            ("a=(", "a=:AA==:", "Signature-Input or Signature isn't a dictionary"),
            ("a=1", "a=:AA==:", "the signature a is malformed"), ("a=()", "a=1", "the signature a is malformed"),
        ])
    func malformed(input: String, signature: String, reason: String) {
        #expect(throws: SignatureFault(reason)) {
            try SignatureFields.all(in: [.signatureInput: input, .signature: signature])
        }
    }

    @Test("A8 a label is used once, and is a key of a dictionary")
    func labels() throws {
        var fields: HTTPFields = [.signatureInput: "a=()", .signature: "a=:AA==:"]
        #expect(throws: SignatureFault("the message has a signature a already")) {
            try SignatureFields(label: "a", parameters: Self.parameters, bytes: []).add(to: &fields)
        }
        #expect(throws: SignatureFault("\"Sig 1\" isn't a label: use a-z, 0-9, _, - and .")) {
            try SignatureFields(label: "Sig 1", parameters: Self.parameters, bytes: []).add(to: &fields)
        }
    }
}
