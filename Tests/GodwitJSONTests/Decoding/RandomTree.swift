import TestSupport

/// A JSON value whose numbers and keys keep their text.
indirect enum RandomTree: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([RandomTree])
    case object([(key: String, value: RandomTree)])
}

extension RandomTree {
    /// A tree of at most `depth` levels of arrays and objects.
    static func random(depth: Int, using random: inout SplitMix) -> RandomTree {
        guard depth > 0, random.happens(70) else { return scalar(using: &random) }
        guard random.happens(60) else { return array(depth: depth, using: &random) }
        let members = (0..<random.below(6)).map { _ in
            (key: random.pick(keys), value: RandomTree.random(depth: depth - 1, using: &random))
        }
        return .object(members)
    }

    /// An array, usually of values that look alike, as they do in real documents.
    private static func array(depth: Int, using random: inout SplitMix) -> RandomTree {
        let count = random.below(5)
        guard random.happens(60) else {
            return .array((0..<count).map { _ in RandomTree.random(depth: depth - 1, using: &random) })
        }
        let first = RandomTree.random(depth: depth - 1, using: &random)
        return .array((0..<count).map { _ in random.happens(15) ? scalar(using: &random) : first })
    }

    static func scalar(using random: inout SplitMix) -> RandomTree {
        switch random.below(10) {
        case 0: .null
        case 1: .bool(random.happens(50))
        case 2...5: .number(number(using: &random))
        default: .string(random.happens(70) ? random.pick(strings) : text(using: &random))
        }
    }

    /// A number that is valid in JSON: a special one, an integer, or any sign, fraction and exponent.
    static func number(using random: inout SplitMix) -> String {
        switch random.below(4) {
        case 0: return random.pick(numbers)
        case 1: return String(random.below(300) - 20)
        case 2: return String(Int64(bitPattern: random.next()) >> Int64(random.below(63)))
        default:
            var text = random.happens(30) ? "-" : ""
            text += random.happens(30) ? "0" : digits(upTo: 18, startingAt: 1, using: &random)
            if random.happens(60) { text += "." + digits(upTo: 18, startingAt: 0, using: &random) }
            if random.happens(40) {
                text += random.pick(["e", "E", "e+", "e-", "E-"]) + digits(upTo: 3, startingAt: 0, using: &random)
            }
            return text
        }
    }

    private static func digits(upTo count: Int, startingAt lowest: Int, using random: inout SplitMix) -> String {
        let first = String(lowest + random.below(10 - lowest))
        return (0..<random.below(count)).reduce(into: first) { text, _ in text += String(random.below(10)) }
    }

    private static func text(using random: inout SplitMix) -> String {
        (0..<random.below(20)).reduce(into: "") { text, _ in text += random.pick(pieces) }
    }
}

extension RandomTree {
    /// Few enough to repeat within an object, and of every kind that key strategies and coders treat differently.
    static let keys = [
        "a", "b", "id", "name", "items", "value", "createdAt", "created_at", "author_id", "authorId", "_private",
        "__x_y_",
        "a__b", "URL", "my_URL", "1", "2", "-3", "01", "x1_2", "super", "", "_", "é", "日本_語", "😀", "with space",
        "quote\"s",
        "back\\slash", "tab\t", "nul\0", "slash/", "a_long_key_that_does_not_fit_in_fifteen_bytes", "dates", "_0",
        "left",
    ]

    private static let strings = [
        "", "a", "true", "null", "0", "1.5", "red", "green", "left", "inf", "-inf", "nan", "hello world",
        "2026-01-02T03:04:05Z", "2026-01-02T03:04:05+02:00", "2026-02-30T00:00:00Z", "2026-01-02", "AQID", "AQI=", "A",
        "aGVsbG8",
        "https://example.com/a?b=c#d", "relative/path", "http://[::1", "a b", "C0FFEE00-0000-4000-8000-000000000001",
        "quote\"s and \\ and / and \u{8}\u{c}\n\r\t", "\u{1}\u{1f}\u{7f}", "é e\u{301}", "日本語", "😀👨‍👩‍👧",
        "\u{2028}\u{2029}\u{feff}",
        "a string that is too long for the fifteen bytes of a small string, so that it is allocated",
    ]

    private static let numbers = [
        "0", "-0", "0.0", "-0.0", "0e0", "0e1", "0E+10", "-0e-1", "1", "-1", "1.0", "1e0", "1e2", "1.5", "10e-1",
        "0.1e1", "127", "128", "-128",
        "-129", "255", "256", "32767", "32768", "65535", "65536", "2147483647", "2147483648", "4294967295",
        "4294967296",
        "9007199254740991", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "170141183460469231731687303715884105727",
        "170141183460469231731687303715884105728", "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456",
        "9223372036854775807.0", "1e18", "1e19", "1e38", "1e39", "3.4028235e38", "3.4028236e38", "1e308",
        "1.7976931348623157e308",
        "1.7976931348623159e308", "1e309", "1e-45", "1e-46", "5e-324", "2e-324", "2.2250738585072011e-308", "1e-400",
        "1e400", "0.1", "0.2",
        "3.141592653589793238462643383279", "123456789012345678901234567890", "0.30000000000000004", "1790000000",
        "1790000000.123",
    ]

    private static let pieces = [
        "a", "Z", " ", "0", "\"", "\\", "/", "\n", "\t", "\u{0}", "\u{1f}", "é", "ß", "日", "😀", "\u{301}", "\u{2028}",
        "\u{ffff}", "\u{10ffff}", "longer piece ",
    ]
}
