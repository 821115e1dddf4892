import GodwitSigning
import Testing

@Suite("The canonical request of AWS")
struct AWSCanonicalRequestTests {
    private static func lines(
        _ url: String, _ rule: AWSCanonicalRequest.PathRule = .encodedAgain, _ fields: HTTPFields = [:]
    ) throws -> [String] {
        AWSCanonicalRequest(.get, try HTTPURL(url), fields, payload: "P", path: rule).text
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(
        "A8 paths are encoded again without empty segments, but for S3",
        arguments: [
            ("/", "/", "/"), ("//", "/", "//"), ("/a/./b/../c", "/a/c", "/a/c"), ("//a//b/", "/a/b/", "//a//b/"),
            ("/a%20b", "/a%2520b", "/a%20b"), ("/%E1%88%B4", "/%25E1%2588%25B4", "/%E1%88%B4"),
            ("/a(b)!+=:@", "/a%28b%29%21%2B%3D%3A%40", "/a%28b%29%21%2B%3D%3A%40"),
            ("/%7ea%2d", "/%257ea%252d", "/~a-"),
            ("/%ff", "/%25ff", "/%FF"),
        ])
    func paths(path: String, encodedAgain: String, asInURL: String) throws {
        #expect(try Self.lines("https://a.example\(path)")[1] == encodedAgain)
        #expect(try Self.lines("https://a.example\(path)", .asInURL)[1] == asInURL)
    }

    @Test(
        "A8 the query is sorted by its encoded names and values",
        arguments: [
            ("b=2&a=1", "a=1&b=2"), ("a=2&a=1&A=3", "A=3&a=1&a=2"), ("acl", "acl="), ("a=1&&b", "a=1&b="),
            ("x=%2f(1)", "x=%2F%281%29"), ("x=a+b%2B", "x=a%20b%2B"), ("a%20b=c=d", "a%20b=c%3Dd"), ("", ""),
            ("aa=1&a=2&a-=3", "a=2&a-=3&aa=1"), ("%ff=1", "%FF=1"),
        ])
    func queries(query: String, canonical: String) throws {
        #expect(try Self.lines("https://a.example/?\(query)")[2] == canonical)
    }

    @Test(
        "A8 a URL is sent as it is signed, and stays the same place",
        arguments: [
            (
                "/a(b)/%7ec%2Fd?x=a+b&y&x=(1)&=", "/a%28b%29/~c%2Fd?x=a%20b&y&x=%281%29&=",
                "/a%28b%29/~c/d?x=a%20b&y&x=%281%29&="
            ),
            ("/a+b", "/a%2Bb", "/a%2Bb"), ("//a//", "//a//", "//a//"), ("/?", "/?", "/?"),
            ("/a?b=c=d", "/a?b=c%3Dd", "/a?b=c%3Dd"),
            ("/%ff?%ff", "/%FF?%FF", "/%FF?%FF"),
        ])
    func uniform(url: String, others: String, ofS3: String) throws {
        let url = try HTTPURL("https://a.example:8443\(url)")
        #expect(
            AWSCanonicalRequest.uniform(url, path: .encodedAgain).absoluteString == "https://a.example:8443\(others)")
        #expect(AWSCanonicalRequest.uniform(url, path: .asInURL).absoluteString == "https://a.example:8443\(ofS3)")
    }

    @Test("A8 fields are sorted and joined, with single spaces")
    func fields() throws {
        let fields: HTTPFields = ["My-B": "  a   b  c ", "My-A": "1", "my-b": "2", "Host": "a.example"]
        let lines = try Self.lines("https://a.example/", .encodedAgain, fields)
        #expect(lines[3...] == ["host:a.example", "my-a:1", "my-b:a b c,2", "", "host;my-a;my-b", "P"])
    }

    @Test("A8 no signature covers what proxies and transports change")
    func unsigned() {
        let names: [HTTPField.Name] = [.authorization, .userAgent, .acceptEncoding, .expect, "traceparent"]
        #expect(names.allSatisfy { !AWSCanonicalRequest.signs($0) })
        #expect(AWSCanonicalRequest.signs(.contentType) && AWSCanonicalRequest.signs("X-Amz-Acl"))
    }

    @Test("A8 the scope has the day, and no form outside the years of ISO 8601")
    func scope() {
        let scope = AWSSigningScope(Date(timeIntervalSince1970: 1_440_938_160), region: "us-east-1", service: "iam")
        #expect(scope?.time == "20150830T123600Z")
        #expect(scope?.text == "20150830/us-east-1/iam/aws4_request")
        #expect(AWSSigningScope(Date(timeIntervalSince1970: .infinity), region: "a", service: "b") == nil)
    }
}
