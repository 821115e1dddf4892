import GodwitWire
import Testing

@Suite("S6 one redactor for all content")
struct SecretScannerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let shown: String
        var testDescription: String { text }

        init(_ text: String, _ shown: String) { (self.text, self.shown) = (text, shown) }
    }

    static let mark = "<redacted>"

    static let json: [Case] = [
        Case(#"{"password":"s3cret","a":1}"#, #"{"password":"<redacted>","a":1}"#),
        Case(#"{"password" : "s3cret" , "a":1}"#, #"{"password" : "<redacted>" , "a":1}"#),
        Case("{\n  \"password\":\n    \"s3cret\"\n}", "{\n  \"password\":\n    \"<redacted>\"\n}"),
        Case(#"{"p\u0061ssword":"s3cret"}"#, #"{"p\u0061ssword":"<redacted>"}"#),
        Case(
            #"{"\u0070\u0061\u0073\u0073\u0077\u006f\u0072\u0064":"s3cret"}"#,
            #"{"\u0070\u0061\u0073\u0073\u0077\u006f\u0072\u0064":"<redacted>"}"#),
        Case(#"{"token":{"a":["s3cret","}"]},"n":2}"#, #"{"token":"<redacted>","n":2}"#),
        Case(#"{"pin":1234,"spin":5}"#, #"{"pin":"<redacted>","spin":5}"#),
        Case(#"{"usage":{"total_tokens":12},"token":12}"#, #"{"usage":{"total_tokens":12},"token":"<redacted>"}"#),
        Case(#"{"tokens":["s3cret"]}"#, #"{"tokens":"<redacted>"}"#),
        Case(#"["password","x"]"#, #"["password","x"]"#),
        Case(#"{"a":"5\" screen","password":"s3cret"}"#, #"{"a":"5\" screen","password":"<redacted>"}"#),
        Case(#"{"password":"a\"s3cret\\","b":1}"#, #"{"password":"<redacted>","b":1}"#),
        Case("\u{FEFF}{\"token\":\"s3cret\"}", "\u{FEFF}{\"token\":\"<redacted>\"}"),
        Case("{\"a\":1}\n{\"token\":\"s3cret\"}\n", "{\"a\":1}\n{\"token\":\"<redacted>\"}\n"),
        Case(#"{"body":"{\"password\":\"s3cret\",\"a\":1}"}"#, #"{"body":"{\"password\":\"<redacted>\",\"a\":1}"}"#),
        Case(
            #"{"a":"{\"b\":\"{\\\"token\\\":\\\"s3cret\\\"}\"}","c":1}"#,
            #"{"a":"{\"b\":\"{\\\"token\\\":\\\"<redacted>\\\"}\"}","c":1}"#),
        Case(
            #"{"a":"{\u0022token\u0022:\u0022s3cret\u0022,\u0022b\u0022:1}"}"#,
            #"{"a":"{\u0022token\u0022:\u0022<redacted>"#),
        Case(#"{"a":"{\"pin\":1234}","b":2}"#, #"{"a":"{\"pin\":\"<redacted>\"}","b":2}"#),
        Case(#"{"a":"{\"auth\":{\"x\":\"s3cret\"}}","b":2}"#, #"{"a":"{\"auth\":\"<redacted>\"}","b":2}"#),
        Case(#"{"url":"https://a.com/?token=s3cret&b=1"}"#, #"{"url":"https://a.com/?token=<redacted>&b=1"}"#),
        Case(#"{"url":"https:\/\/u:s3cret@a.com\/x"}"#, #"{"url":"https:\/\/<redacted>@a.com\/x"}"#),
        Case(#"{"u":"a?b=1\u0026sig=s3cret\u0026c=2"}"#, #"{"u":"a?b=1\u0026sig=<redacted>\u0026c=2"}"#),
        Case(#"{'password': 's3cret', 'a': 1}"#, #"{'password': '<redacted>', 'a': 1}"#),
        Case(#"{"password"=>"s3cret", "a"=>1}"#, #"{"password"=>"<redacted>", "a"=>1}"#),
        Case(#"error: {"password":"s3cret"} is wrong"#, #"error: {"password":"<redacted>"} is wrong"#),
        Case(#"{"note":"say \"password\": no"}"#, #"{"note":"say \"password\": no"}"#),
        Case(#"{"token":"cut off s3cret"#, #"{"token":"<redacted>""#),
    ]

    static let others: [Case] = [
        Case("user=ann&password=s3cret&a=1", "user=ann&password=<redacted>&a=1"),
        Case("code=s3cret&a=1", "code=<redacted>&a=1"),
        Case("a=1&to%6Ben=s3cret", "a=1&to%6Ben=<redacted>"),
        Case("user%5Bpassword%5D=s3cret&a=1", "user%5Bpassword%5D=<redacted>&a=1"),
        Case("password=a,s3cret;x&a=1", "password=<redacted>&a=1"),
        Case("v=%7B%22password%22%3A%22s3cret%22%7D&a=1", "v=<redacted>&a=1"),
        Case("v={\"password\":\"s3cret\"}&a=1", "v={\"password\":\"<redacted>\"}&a=1"),
        Case("u=https%3A%2F%2Fa.com%2F%3Ftoken%3Ds3cret&a=1", "u=<redacted>&a=1"),
        Case(
            "data: {\"token\":\ndata: \"s3cret\",\ndata: \"a\":1}\n\n",
            "data: {\"token\":\ndata: \"<redacted>\",\ndata: \"a\":1}\n\n"),
        Case("event: x\ndata: token=s3cret\n\n", "event: x\ndata: token=<redacted>\n\n"),
        Case("/a;jsessionid=s3cret/b?x=1", "/a;jsessionid=<redacted>/b?x=1"),
        Case(
            "mutation { login(user: \"ann\", password: \"s3cret\") { id } }",
            "mutation { login(user: \"ann\", password: \"<redacted>\") { id } }"),
        Case("{ login(pin: 1234, a: 2) }", "{ login(pin: <redacted>, a: 2) }"),
        Case(
            "mutation($password: String) { login(password: $password) }",
            "mutation($password: String) { login(password: $password) }"),
        Case(#"{"query":"{login(password:\"s3cret\"){id}}"}"#, #"{"query":"{login(password:\"<redacted>\"){id}}"}"#),
        Case("{\"query\":\"{\\n login(\\n  pin: 1234)}\"}", "{\"query\":\"{\\n login(\\n  pin: <redacted>)}\"}"),
        Case("user: ann\npassword: hunter\nport: 1\n", "user: ann\npassword: <redacted>\nport: 1\n"),
        Case(
            "GET / HTTP/1.1\r\nAuthorization: Bearer s3cret\r\nHost: a\r\n",
            "GET / HTTP/1.1\r\nAuthorization: <redacted>\r\nHost: a\r\n"),
        Case("Cookie: a=b; sid=s3cret\r\nHost: a\r\n", "Cookie: <redacted>\r\nHost: a\r\n"),
        Case("DB_PASSWORD=s3cret\nPORT=1\n", "DB_PASSWORD=<redacted>\nPORT=1\n"),
        Case("password = \"s3cret\"\na = 1\n", "password = \"<redacted>\"\na = 1\n"),
        Case("<a><password>s3cret</password><b>1</b></a>", "<a><password><redacted></password><b>1</b></a>"),
        Case("<password type=\"x\"><![CDATA[s3cret<]]></password>", "<password type=\"x\"><redacted></password>"),
        Case("<a token=\"s3cret\" b=\"1\"/>", "<a token=\"<redacted>\" b=\"1\"/>"),
        Case("<token/><a>1</a>", "<token/><a>1</a>"),
        Case(
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cret\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n<redacted>\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n"
        ),
        Case(
            "see https://u:s3cret@a.com/?key=s3cret#id_token=s3cret&a=1 now",
            "see https://<redacted>@a.com/?key=<redacted>#id_token=<redacted>&a=1 now"),
        Case("Invalid token: it has expired", "Invalid token: it has expired"),
        Case("Invalid token: \"s3cret\"", "Invalid token: \"<redacted>\""),
        Case("Invalid token: abcdef123", "Invalid token: <redacted>"),
        Case("The author: ann, the keyboard: qwerty, a=b", "The author: ann, the keyboard: qwerty, a=b"),
        Case("don't send 'it': x", "don't send 'it': x"), Case("", ""), Case("plain text", "plain text"),
        Case("a // b@c", "a // b@c"), Case("mail ann@a.com", "mail ann@a.com"),
    ]

    static let pairs: [Case] = [
        Case(#"{"name":"password","value":"s3cret","a":1}"#, #"{"name":"password","value":"<redacted>","a":1}"#),
        Case(#"{"value":"s3cret","name":"password"}"#, #"{"value":"<redacted>","name":"password"}"#),
        Case(#"{"value":12,"name":"pin"}"#, #"{"value":"<redacted>","name":"pin"}"#),
        Case(#"{"key":"token","value":{"stringValue":"s3cret"}}"#, #"{"key":"token","value":"<redacted>"}"#),
        Case(
            #"{"ParameterKey":"DBPassword","ParameterValue":"s3cret"}"#,
            #"{"ParameterKey":"DBPassword","ParameterValue":"<redacted>"}"#),
        Case(
            #"{"headers":[{"name":"Cookie","value":"s3cret"},{"name":"Age","value":"1"}]}"#,
            #"{"headers":[{"name":"Cookie","value":"<redacted>"},{"name":"Age","value":"1"}]}"#),
        Case(
            #"{"a":"{\"name\":\"token\",\"value\":\"s3cret\"}"}"#,
            #"{"a":"{\"name\":\"token\",\"value\":\"<redacted>\"}"}"#),
        Case(#"{"value":"1","name":"page"}"#, #"{"value":"1","name":"page"}"#),
        Case(#"{"value":[{"id":1}],"count":1}"#, #"{"value":[{"id":1}],"count":1}"#),
        Case(#"<input name="csrf_token" value="s3cret">x"#, #"<input name="csrf_token" value="<redacted>">x"#),
        Case(#"<input value='s3cret' type='password'/>"#, #"<input value='<redacted>' type='password'/>"#),
        Case(#"<property name="password">s3cret</property>"#, #"<property name="password"><redacted></property>"#),
        Case(#"<add key="page" value="1"/>"#, #"<add key="page" value="1"/>"#),
    ]

    static let shapes: [Case] = [
        Case("/verify/\(token)/done", "/verify/<redacted>/done"), Case("a \(token), b", "a <redacted>, b"),
        Case("{\"a\":\"\(token)\"}", "{\"a\":\"<redacted>\"}"), Case("eyJ0.b.c eyJabc", "eyJ0.b.c eyJabc"),
        Case("x=\(token.prefix(40))", "x=<redacted>"),
        Case("<password><b>s3cret</b></password>x", "<password><redacted></password>x"),
        Case(
            "--b\nContent-Disposition: form-data; name=password\n\n-----BEGIN KEY\n--s3cret\n--b--\n",
            "--b\nContent-Disposition: form-data; name=password\n\n<redacted>\n--b--\n"),
        Case("curl -H 'Authorization: Bearer s3cret'\nx", "curl -H 'Authorization: <redacted>'\nx"),
        Case("got Authorization: Bearer s3cret42, or so", "got Authorization: Bearer <redacted>, or so"),
    ]

    /// `{"alg":"HS256"}` and so on, with a word to look for.
    private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.s3cret-s3cret"

    @Test("S6 a block string of GraphQL is a value, also in a string of JSON, and known once it was sent")
    func blocks() {
        let plain =
            "mutation { login(password: \"\"\"\n S3KR1T\" \\\"\"\" K3Y\"\"\", id: \"7\", pin: \"\", a: \"b\") { id } }"
        let escaped = plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        let json = "{\"query\":\"\(escaped)\"}"
        for text in [plain, json] {
            let shown = SecretScanner.redacted(text)
            #expect(!shown.contains("S3KR1T") && !shown.contains("K3Y"), "\(shown)")
            #expect(shown.contains("7") && shown.contains("b") && shown.contains("{ id }"), "\(shown)")
        }
        #expect(SecretScanner.values(in: #"{ login(password: """S3KR1T""") }"#.utf8).contains("S3KR1T"))
        #expect(SecretScanner.values(in: #"{"q":"(password: \"\"\"S3KR1T\"\"\")"}"#.utf8).contains("S3KR1T"))
    }

    @Test("S6 values of secret names are redacted, and nothing else changes", arguments: json + others + pairs + shapes)
    func redacts(_ text: Case) {
        let shown = SecretScanner.redacted(text.text)
        #expect(shown == text.shown || text.shown.hasSuffix(#"<redacted>"#) && shown.hasPrefix(text.shown))
        #expect(!shown.contains("s3cret"))
    }

    @Test(
        "S6 a text in two chunks is redacted as the whole text, wherever it is split",
        arguments: json + others + pairs + shapes)
    func splits(_ text: Case) {
        let bytes = Array(text.text.utf8)
        let search = SecretSearch(["s3cret-value", "1234-5678"])
        var whole = SecretRedactor(secrets: search)
        let expected = whole.append(bytes) + whole.finish()
        for split in 0...bytes.count {
            var redactor = SecretRedactor(secrets: search)
            let first = redactor.append(bytes[..<split])
            let shown = first + redactor.append(bytes[split...]) + redactor.finish()
            #expect(shown == expected, "split at \(split)")
        }
    }

    @Test("S6 a text that was cut shows no start of a secret, wherever it was cut", arguments: json + others + pairs)
    func cuts(_ text: Case) {
        let bytes = Array(text.text.utf8)
        for count in 0...bytes.count {
            var redactor = SecretRedactor()
            let shown = redactor.append(bytes.prefix(count)) + redactor.finish(isCut: true)
            let text = String(decoding: shown, as: UTF8.self)
            #expect(!text.contains("s3c"), "\(text)")
        }
    }

    @Test("S6 another text with the media type of a form shows no secret", arguments: json + others + pairs)
    func wrongType(_ text: Case) {
        var redactor = SecretRedactor(isForm: true)
        #expect(!String(decoding: redactor.finish(text.text.utf8), as: UTF8.self).contains("s3cret"))
    }

    @Test("S6 a form hides whole items, and those whose values have a secret in them")
    func form() {
        var redactor = SecretRedactor(isForm: true)
        let text = "a=1&password=x\"y;z<&b=%7B%22token%22%3A%22s3cret%22%7D&c=d+e&key=4&&pin=1\n&s3cret"
        let shown = String(decoding: redactor.finish(text.utf8), as: UTF8.self)
        #expect(shown == "a=1&password=<redacted>&b=<redacted>&c=d+e&key=<redacted>&&pin=<redacted>")
    }

    @Test("S6 of a text whose next part can't be decided, nothing more is shown")
    func undecided() {
        var redactor = SecretRedactor()
        let start = redactor.append("{\"a\":1,\"b\":\"".utf8)
        let rest = redactor.append(repeatElement(UInt8(ascii: "x"), count: 300 << 10))
        let end = redactor.append("\",\"c\":2}".utf8) + redactor.finish()
        #expect(String(decoding: start + rest + end, as: UTF8.self) == #"{"a":1,"b":<redacted>"#)
        // A text that is there as a whole is decided, however long it is.
        let long = "{\"a\":\"\(String(repeating: "x", count: 300 << 10))\",\"token\":\"s3cret\"}"
        #expect(SecretScanner.redacted(long) == long.replacing("s3cret", with: Self.mark))
    }

    @Test("S6 a message keeps its words: markup and words before a colon have no meaning there")
    func prose() {
        for text in [
            "password: is too short", "validation failed (password: required)", "Expected <token> but got <div>",
            "code=5 is wrong", "pin: required", "Expected eyJ, got eyJ.a",
        ] {
            #expect(SecretScanner.redacted(text, isProse: true) == text)
        }
        #expect(SecretScanner.redacted("see /a?code=s3cret", isProse: true) == "see /a?code=<redacted>")
    }

    @Test("S6 a hostile text costs linear work and bounded memory: what is held never exceeds a few kilobytes")
    func bounded() {
        let units = [
            "{\"password\":", "[", "\"", "\\", "a=a=", "%25", "token: a", "//", "<password>", "--b\r\n", "&#x", "\"\"",
            "(", " ",
        ]
        for unit in units {
            var redactor = SecretRedactor(secrets: SecretSearch(["s3cret-value", String(repeating: "a=", count: 500)]))
            let chunk = Array(String(repeating: unit, count: (64 << 10) / unit.utf8.count).utf8)
            var shown = 0
            for _ in 0..<8 { shown += redactor.append(chunk).count }
            shown += redactor.finish().count
            #expect(shown <= chunk.count * 8 * 12)
        }
    }
}
