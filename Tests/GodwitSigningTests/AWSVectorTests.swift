import Godwit
import GodwitSigning
import GodwitSupport
import Testing

/// Amazon's test suite (aws-sig-v4-test-suite) and the examples of S3's documentation. botocore makes the same signatures.
@Suite("AWS Signature Version 4, by Amazon's examples")
struct AWSVectorTests {
    private static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    private static let time = Date(timeIntervalSince1970: 1_440_938_160)

    private static func signer(
        service: String = "service", token: String? = nil, payload: AWSSigner.Payload = .signed
    ) -> AWSSigner {
        AWSSigner(service: service, region: "us-east-1", payload: payload, now: { time }) {
            AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: secret, sessionToken: token)
        }
    }

    private static func authorization(names: String, _ signature: String, service: String = "service") -> String {
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/\(service)/aws4_request, "
            + "SignedHeaders=\(names), Signature=\(signature)"
    }

    private struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        var method = HTTPMethod.get
        var target = "/"
        var fields: HTTPFields = [:]
        var body: HTTPBody?
        var names = "host;x-amz-date"
        let signature: String

        var testDescription: String { name }
    }

    private static let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    private static let vectors = [
        Vector(name: "get-vanilla", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Vector(
            name: "get-vanilla-query-order-key-case", target: "/?Param2=value2&Param1=value1",
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        Vector(
            name: "get-vanilla-query-order-value", target: "/?Param1=value2&Param1=Value1",
            signature: "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
        Vector(
            name: "get-vanilla-query-unreserved", target: "/?\(unreserved)=\(unreserved)",
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        Vector(
            name: "get-vanilla-utf8-query", target: "/?ሴ=bar",
            signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        Vector(
            name: "normalize-path/get-slashes", target: "//example//",
            signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
        Vector(
            name: "normalize-path/get-relative", target: "/example/..",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Vector(
            name: "get-header-value-trim", fields: ["My-Header1": " value1", "My-Header2": " \"a   b   c\""],
            names: "host;my-header1;my-header2;x-amz-date",
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Vector(
            name: "post-vanilla", method: .post,
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Vector(
            name: "post-header-key-sort", method: .post, fields: ["My-Header1": "value1"],
            names: "host;my-header1;x-amz-date",
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        Vector(
            name: "post-x-www-form-urlencoded", method: .post,
            fields: [.contentType: "application/x-www-form-urlencoded"], body: "Param1=value1",
            names: "content-type;host;x-amz-date",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
    ]

    @Test("A8 a request gets the signature of Amazon's test suite", arguments: vectors)
    private func suite(vector: Vector) async throws {
        let request = HTTPRequest(
            method: vector.method, url: try HTTPURL("https://example.amazonaws.com\(vector.target)"),
            fields: vector.fields, body: vector.body)
        let signed = try await Self.signer().signed(request)
        #expect(signed.fields["X-Amz-Date"] == "20150830T123600Z")
        #expect(signed.fields[.authorization] == Self.authorization(names: vector.names, vector.signature))
        #expect(signed.fields["X-Amz-Content-Sha256"] == nil)
    }

    @Test("A8 a session token is sent and signed")
    func token() async throws {
        let request = try HTTPRequest(url: "https://example.amazonaws.com/")
        let signed = try await Self.signer(token: "SESSION/TOKEN+1==").signed(request)
        #expect(signed.fields["X-Amz-Security-Token"] == "SESSION/TOKEN+1==")
        #expect(
            signed.fields[.authorization]
                == Self.authorization(
                    names: "host;x-amz-date;x-amz-security-token",
                    "c9fab3df79529ceb6821fc129d1e971d1871ea3c8481c95694b20b79af7696d8"))
    }

    @Test("A8 the path of S3 is signed as it is, and its body's digest is sent")
    func s3() async throws {
        let get = try HTTPRequest(url: "https://example.amazonaws.com/a//b%20c(d)")
        #expect(
            try await Self.signer(service: "s3").signed(get).fields[.authorization]
                == Self.authorization(
                    names: "host;x-amz-content-sha256;x-amz-date",
                    "5a17805ae02ef346af672b71334f4948595df3c58d7bb7526ad41171a584239a", service: "s3"))
        let put = try HTTPRequest(
            method: .put, url: "https://example.amazonaws.com/key", fields: [.contentType: "text/plain"], body: "hello")
        let signed = try await Self.signer(service: "s3").signed(put)
        #expect(signed.fields["X-Amz-Content-Sha256"] == Hexadecimal.encode(SHA256.digest("hello".utf8)))
        #expect(
            signed.fields[.authorization]
                == Self.authorization(
                    names: "content-type;host;x-amz-content-sha256;x-amz-date",
                    "64dd48e2bbbf2b4ad1eae90eb412464d6704747c0855a9cf4876589994be91c1", service: "s3"))
    }

    /// The key and time of the examples in S3's documentation.
    private static let examples = AWSSigner(
        service: "s3", region: "us-east-1", now: { Date(timeIntervalSince1970: 1_369_353_600) }
    ) {
        AWSCredentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    }

    @Test("A8 requests and URLs get the signatures of S3's documentation")
    func documentation() async throws {
        let get = try HTTPRequest(
            url: "https://examplebucket.s3.amazonaws.com/test.txt", fields: [.range: "bytes=0-9"])
        #expect(
            try await Self.examples.signed(get).fields[.authorization]?.hasSuffix(
                "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41") == true)
        let put = try HTTPRequest(
            method: .put, url: "https://examplebucket.s3.amazonaws.com/test$file.text",
            fields: [.date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
            body: "Welcome to Amazon S3.")
        #expect(
            try await Self.examples.signed(put).fields[.authorization]?.hasSuffix(
                "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd") == true)
        let lifecycle = try HTTPRequest(url: "https://examplebucket.s3.amazonaws.com/?lifecycle")
        #expect(
            try await Self.examples.signed(lifecycle).fields[.authorization]?.hasSuffix(
                "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543") == true)
        let url = try await Self.examples.presignedURL(
            "https://examplebucket.s3.amazonaws.com/test.txt", expiresIn: .seconds(86_400))
        #expect(
            url.query?.hasSuffix(
                "X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404") == true)
    }

    @Test("A8 a presigned URL has the session token in its signed query, and botocore's signature")
    func presigned() async throws {
        let url = try await Self.signer(service: "s3", token: "SESSION/TOKEN+1==").presignedURL(
            "https://bucket.example.com/tern%20one.jpg?versionId=3", expiresIn: .seconds(600))
        let items = (url.query ?? "").split(separator: "&")
        #expect(items.contains("versionId=3") && items.contains("X-Amz-Expires=600"))
        #expect(items.last == "X-Amz-Signature=c9453f4d91241899ece5546968eea151d9b1d68cc3848aabadb18f2c83183316")
        let other = try await Self.signer().presignedURL("https://bucket.example.com/a%20b", expiresIn: .seconds(60))
        #expect(
            other.query?.hasSuffix(
                "X-Amz-Signature=69b8e3228b8e8d05cb25a02da4adef14587664b6a4d28d66988da124dd8dc29f") == true)
        #expect(!"\(other.debugDescription)".contains("69b8e322"))
    }

    @Test("A8 a presigned URL is valid for 1 s to 7 days, whatever the duration")
    func expiry() async throws {
        for (duration, seconds) in [(Duration.zero, "1"), (.seconds(-5), "1"), (.seconds(10_000_000), "604800")] {
            let url = try await Self.signer().presignedURL("https://a.example/", expiresIn: duration)
            #expect(url.query?.contains("X-Amz-Expires=\(seconds)&") == true)
        }
    }

    @Test("A8 a body that can be read once is signed as unsigned, or not at all")
    func streams() async throws {
        let once = HTTPBody.stream(once: AsyncStream<Data> { $0.finish() })
        let request = try HTTPRequest(method: .put, url: "https://a.example/", body: once)
        let error = await #expect(throws: NetworkError.self) { try await Self.signer().signed(request) }
        guard case .invalidRequest = error?.kind else { Issue.record("\(error as Any)"); return }
        let signed = try await Self.signer(payload: .unsigned).signed(request)
        #expect(signed.fields["X-Amz-Content-Sha256"] == "UNSIGNED-PAYLOAD")
        let stream = HTTPBody.stream {
            AsyncStream<Data> {
                $0.yield(Data("hello".utf8)); $0.finish()
            }
        }
        let replayable = try HTTPRequest(method: .put, url: "https://a.example/", body: stream)
        let bytes = try HTTPRequest(method: .put, url: "https://a.example/", body: "hello")
        let (first, second) = (try await Self.signer().signed(replayable), try await Self.signer().signed(bytes))
        #expect(first.fields[.authorization] == second.fields[.authorization])
    }
}
