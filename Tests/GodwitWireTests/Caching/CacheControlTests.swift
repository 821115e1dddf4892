@testable import GodwitWire
import GodwitTesting
import Testing

@Suite("C1 Cache-Control")
struct CacheControlTests {
    private func read(_ lines: String...) -> CacheControl {
        CacheControl(HTTPFields(lines.map { HTTPField(unchecked: .cacheControl, value: $0) }))
    }

    @Test(
        "C1 RFC 9111 5.2 directives are read ignoring case, quoted or not, amid anything",
        arguments: [
            "max-age=60", "Max-Age=60", "max-age=\"60\"", "public, max-age=60", " , ,max-age = 60 ,",
            "x=\"a, max-age=1\",max-age=60",
            "max-age=60;", "=, max-age=60", "é, max-age=60", "private=\"set-cookie\", max-age=60",
            "max-age=60, max-age=10",
        ])
    func maxAge(value: String) {
        let expected = value.hasSuffix(";") ? 0 : 60
        #expect(read(value).maxAge == expected)
    }

    @Test("C1 RFC 9111 5.2 several field lines count as one")
    func lines() {
        let control = read("no-cache", "max-age=5")
        #expect(control.noCache && control.maxAge == 5)
    }

    @Test(
        "C1 RFC 9111 1.2.2 a number too large counts as 2^31",
        arguments: ["2147483648", "99999999999", "99999999999999999999999999"])
    func overflow(number: String) {
        #expect(read("max-age=\(number)").maxAge == 1 << 31)
    }

    @Test(
        "C1 RFC 9111 4.2.1 a max-age that cannot be read makes a response stale",
        arguments: ["max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=one", "max-age=+5"])
    func unreadable(value: String) {
        #expect(read(value).maxAge == 0)
    }

    @Test("C1 RFC 9111 5.2.2.10 s-maxage says nothing to a private cache")
    func shared() {
        #expect(read("s-maxage=60, proxy-revalidate") == read(""))
    }

    @Test("C1 RFC 9111 5.2.1.2 max-stale without a number accepts any staleness")
    func maxStale() {
        #expect(read("max-stale").maxStale == .max)
        #expect(read("max-stale=7").maxStale == 7)
        #expect(read("max-stale=x").maxStale == 0)
    }

    @Test(
        "C1 RFC 9111 5.2.2.4 no-cache that names fields withholds these alone, unless it cannot be read",
        arguments: [
            (["no-cache=\"Set-Cookie, X\""], false, ["set-cookie", "x"]), (["no-cache=x"], false, ["x"]),
            (["no-cache=\"x\", no-cache"], true, ["x"]), (["no-cache", "no-cache=\"x\""], true, ["x"]),
            (["no-cache=\"x\"", "no-cache=\"y\""], false, ["x", "y"]), (["no-cache=\"\""], true, []),
            (["no-cache=\"a b\""], true, []), (["private=\"x\""], false, []), (["NO-CACHE"], true, []),
        ] as [([String], Bool, [HTTPField.Name])])
    func qualified(lines: [String], isForAll: Bool, names: [HTTPField.Name]) {
        var fields: HTTPFields = [:]
        for line in lines { fields.append(line, for: .cacheControl) }
        #expect(CacheControl(fields).noCache == isForAll)
        #expect(CacheControl(fields).unconfirmedFields == Set(names))
    }

    @Test("C1 RFC 9111 5.2.2.7 private that names fields lets a private cache store all of the response")
    func qualifiedPrivate() {
        let control = read("private=\"Set-Cookie\"")
        #expect(control.allowsStoring && !control.noStore && control.unconfirmedFields.isEmpty)
    }

    @Test("C1 RFC 9111 5.2 every flag is reported apart")
    func flags() {
        #expect(read("no-store").noStore)
        #expect(read("must-revalidate").mustRevalidate)
        #expect(read("must-understand").mustUnderstand)
        #expect(read("only-if-cached").onlyIfCached)
        #expect(read("private").allowsStoring && read("public").allowsStoring)
        let none = read("no-transform, x-no-store, nostore")
        #expect(!none.noStore && !none.noCache && !none.mustRevalidate && !none.onlyIfCached && !none.allowsStoring)
    }

    @Test("C1 RFC 5861 3 and 4 the windows are read")
    func windows() {
        let control = read("max-age=1, stale-while-revalidate=30, stale-if-error=90, min-fresh=4")
        #expect(control.staleWhileRevalidate == 30 && control.staleIfError == 90 && control.minFresh == 4)
    }

    @Test("C1 RFC 9111 5.2 random bytes are read without harm")
    func fuzz() {
        var generator = SeededGenerator(seed: 9111)
        let alphabet = Array("max-age=,;\" \\0919no-store\t*é")
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    alphabet[Int.random(in: alphabet.indices, using: &generator)]
                })
            #expect(read(text).maxAge.map { (0...1 << 31).contains($0) } ?? true)
        }
    }
}
