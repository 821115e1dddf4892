import Godwit
import GodwitCore
import GodwitUI
import TestSupport

// What the network sends, read without a socket.
extension FuzzTarget {
    static var all: [FuzzTarget] {
        [
            fields, dates, cookies, challenges, signatures, urls, events, lines, frames, certificates, json,
            jsonElements, models,
            images,
        ] + files + commands + sockets + pieces + [certificateNames, proxies, secrets]
    }

    private static var fields: FuzzTarget {
        FuzzTarget.text(
            "fields",
            words: [
                "; q=1", ", ", "\"\\\"\"", "filename*=UTF-8''%41", "rel=next", "<a>; ", "max-age=", "h3=\":443\"; ma=1",
                "bytes 0-1/2", "=?1", "; includeSubDomains", "; fwd=stale; ttl=-1", "params, except=(\"a\")",
                "key-order", "match=\"/*\", id=\"1\"", "{/:a}+",
            ]
        ) { text in
            var fields = HTTPFields()
            for name in [
                "Content-Type", "Cache-Control", "Age", "Link", "Alt-Svc", "Content-Range", "Retry-After", "Vary",
                "Expires", "Date",
                "ETag", "Tus-Extension", "RateLimit", "Repr-Digest", "Content-Length", "Strict-Transport-Security",
                "Cache-Status", "No-Vary-Search", "Use-As-Dictionary",
            ] as [HTTPField.Name] {
                fields.append(text, for: name)
            }
            _ = MediaType(text)?.description
            _ = ContentDisposition(text)
            _ = SafeFileName(text)?.numbered(3)
            _ = try? fields.link(rel: "next", relativeTo: HTTPURL("https://a.example/"))
            _ = CacheControl(fields)
            _ = AlternativeServiceField.parse(fields)
            _ = StrictTransportPolicy(fields)
            _ = SearchVariance(fields)?.key(of: text)
            _ = SearchVariance([.noVarySearch: "key-order, params=(\"a\")"])?.key(of: text)
            let base = try HTTPURL("https://a.example/b/c?d")
            _ = DictionaryRule(fields, of: base)
            if let pattern = URLPattern(text, relativeTo: base), pattern.matches(try HTTPURL("https://b.example/b/c")) {
                fail("fields: a pattern matches another origin")
            }
            for status in fields.cacheStatus where "\(status)".isEmpty { fail("fields: a cache status has no text") }
            _ = TraceContext(traceparent: text, tracestate: text)
            _ = TusChecksum.parse(text)
            _ = StructuredField.integers(text)
            _ = FormURLEncoded.decode(text)
            _ = PercentEncoding.decode(text)
            _ = ProxyExceptions(text).contain("[::1]", port: 80)
            _ = TerminalText.escaped(text)
            let exact = FieldText.exact(text.utf8)
            if !FieldText.bytes(of: exact).elementsEqual(text.utf8) { fail("fields: bytes are lost") }
            _ = "\(fields)"
        }
    }

    private static var dates: FuzzTarget {
        FuzzTarget.text(
            "dates", words: ["Thu, ", "GMT", "1994", "T", "Z", "+23:59", ".999999999", "Jan", "00"]
        ) { text in
            _ = HTTPDate.parse(text, now: Date(timeIntervalSince1970: 1e9))
            _ = CookieDate.parse(text)
            if let date = ISO8601.date(text) { _ = ISO8601.text(date) }
        }
    }

    private static var cookies: FuzzTarget {
        FuzzTarget.text(
            "cookies", words: ["; Path=/", "; Domain=", "; Max-Age=", "; Expires=", "__Host-", "; Secure", "="]
        ) { text in
            let jar = CookieJar()
            let url = try HTTPURL("https://www.example.com/a/b")
            for line in text.split(separator: "\n") { jar.store(String(line), from: url) }
            _ = jar.cookies(for: url)
            _ = "\(jar.cookies)"
        }
    }

    private static var challenges: FuzzTarget {
        FuzzTarget.text(
            "challenges", words: ["Digest ", "Basic realm=", "nonce=\"", "qop=\"auth\"", "algorithm=SHA-256", ", "]
        ) { text in
            for challenge in AuthenticationChallenge.parse(text.split(separator: "\n").map(String.init)) {
                guard let digest = DigestChallenge(challenge) else { continue }
                var session = DigestSession(digest, clientNonce: "c")
                session.note(authenticationInfo: text)
            }
        }
    }

    private static var urls: FuzzTarget {
        FuzzTarget.text(
            "urls", words: ["http://", "//", "..", "%2e", "?", "#", "@", "[::1]", ":", "%zz", "\\"]
        ) { text in
            let base = try HTTPURL("https://example.com/a/b?c#d")
            if let url = try? HTTPURL(text), try HTTPURL(url.absoluteString) != url {
                fail("urls: not read back: \(url)")
            }
            _ = try? base.resolving(text)
            _ = AuthorizationResponse(query: text, state: "s", issuer: nil)
            _ = base.appending(["a": text])
        }
    }

    private static var events: FuzzTarget {
        FuzzTarget.chunks("events", words: ["data:", "id:", "retry:", "\r\n", ":", "\u{FEFF}"]) { chunks in
            var parser = EventStreamParser(limit: 4096)
            for chunk in chunks {
                parser.append(chunk)
                while try parser.next() != nil {}
            }
        }
    }

    private static var lines: FuzzTarget {
        FuzzTarget.chunks("lines", words: ["\r", "\n", "\u{2028}"]) { chunks in
            var splitter = LineSplitter(limit: 4096)
            for chunk in chunks {
                splitter.append(chunk)
                while try splitter.next() != nil {}
            }
            _ = try splitter.finish()
            var characters = CharacterSplitter()
            var text = ""
            for chunk in chunks {
                characters.append(chunk)
                while let character = characters.next() { text.append(character) }
            }
            while let character = characters.finish() { text.append(character) }
            var whole = String(decoding: chunks.joined(), as: UTF8.self).unicodeScalars[...]
            if whole.first == "\u{FEFF}" { whole.removeFirst() }
            if !text.unicodeScalars.elementsEqual(whole) { fail("lines: characters are lost") }
        }
    }

    private static var frames: FuzzTarget {
        FuzzTarget(name: "frames") { data, random in
            let isCompressed = random.below(2) == 0
            var reader = MessageReader(
                random.below(2) == 0 ? .client : .server, limit: 1 << 20,
                decompressor: isCompressed ? Inflater(windowBits: 15, forgets: false) : nil)
            for chunk in random.chunks(of: data) {
                _ = try chunk.withUnsafeBytes { bytes in try reader.read(bytes) { _ in true } }
            }
        }
    }

    private static var certificates: FuzzTarget {
        FuzzTarget.bytes("certificates", words: ["-----BEGIN CERTIFICATE-----", "\u{30}"]) { data in
            _ = CertificateKey.subjectPublicKeyInfo(of: data)
            _ = PEMCertificates.certificates(in: data)
        }
    }

    private static var json: FuzzTarget {
        FuzzTarget.bytes(
            "json", words: ["{", "[", "\"a\":", "\\ud800", "\\u0000", "1e999", "-", "null", "//", "'"]
        ) { data in
            if let document = try? JSONDocument(parsing: data) { _ = JSONValue(document.root) }
            if let value = try? JSONModelDecoder().decode(JSONValue.self, from: data) {
                _ = try? JSONModelEncoder().encode(value)
            }
            _ = try? JSONModelDecoder().decode([String: [Int]].self, from: data)
            let head = HTTPResponseHead(status: .badRequest)
            let request = HTTPRequest(url: try HTTPURL("http://a/"))
            _ = "\(NetworkError(HTTPResponse(head: head, request: request), body: data))"
        }
    }

    private static var jsonElements: FuzzTarget {
        FuzzTarget.chunks(
            "elements", words: ["{", "[", "\"items\":", "\\ud800", "1e999", ",", "]", "}"]
        ) { chunks in
            for path in ["", "items", "data.items"] {
                do {
                    var splitter = try JSONElementSplitter(at: path, elementLimit: 4096, maximumDepth: 100)
                    for chunk in chunks {
                        splitter.append(chunk)
                        while try splitter.next() != nil {}
                    }
                    try splitter.finish()
                } catch {}
            }
        }
    }

    /// Values of dates, numbers and URLs, and the texts of what is wrong with them.
    private static var models: FuzzTarget {
        FuzzTarget.bytes("models", words: ["\"date\":", "\"url\":", "\"n\":", "1e99", "null"]) { data in
            struct Model: Codable {
                let date: Date?
                let url: URL?
                let n: UInt8?
                let tags: LossyArray<Int>?
                let kind: Open<Kind>?
            }
            enum Kind: String, Codable { case a, b }
            for format in [JSONDates.iso8601, .epochSeconds, .epochMilliseconds] {
                let coding = JSONCoding(dates: format)
                do throws(NetworkError) {
                    let model = try coding.decode(Model.self, from: data)
                    _ = try? coding.encode(model)
                } catch {
                    _ = "\(error)"
                }
            }
        }
    }

    private static var images: FuzzTarget { FuzzTarget.bytes("images") { data in _ = ImageHeader(data) } }
}
