/// IMF-fixdate (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Every byte has its place, so it is read without taking words apart: most responses have two of them.
enum Fixdate {
    static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count == form.count, isPunctuated(text), weekdays.contains(word(at: 0, in: text)),
            let month = months.firstIndex(of: word(at: 8, in: text)), word(at: 26, in: text) == zone,
            let day = number(at: 5..<7, in: text), let year = number(at: 12..<16, in: text),
            let hour = number(at: 17..<19, in: text), let minute = number(at: 20..<22, in: text),
            let second = number(at: 23..<25, in: text)
        else { return nil }
        return HTTPDate.date(year: year, month: month + 1, day: day, clock: (hour, minute, second))
    }

    /// A letter stands for a byte that is looked at elsewhere.
    private static let form = Array("www, dd mmm yyyy hh:nn:ss zzz".utf8)
    private static let weekdays = words("SunMonTueWedThuFriSat")
    private static let months = words("JanFebMarAprMayJunJulAugSepOctNovDec")
    /// The only zone (RFC 9110 section 5.6.7): a date that names another one is not a date.
    private static let zone = words("GMT")[0]

    private static func isPunctuated(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        zip(text, form).allSatisfy { byte, expected in
            byte == expected || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(expected)
        }
    }

    /// Three letters as one number.
    private static func word(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        UInt32(text[start]) << 16 | UInt32(text[start + 1]) << 8 | UInt32(text[start + 2])
    }

    private static func words(_ text: StaticString) -> [UInt32] {
        text.withUTF8Buffer { bytes in stride(from: 0, to: bytes.count, by: 3).map { word(at: $0, in: bytes) } }
    }

    private static func number(at places: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var value = 0
        for place in places {
            guard IPAddress.isDigit(text[place]) else { return nil }
            value = value * 10 + Int(text[place] - UInt8(ascii: "0"))
        }
        return value
    }
}
