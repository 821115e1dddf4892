import Godwit

/// A day of the calendar without a time and a time zone: `2026-11-23` in JSON.
nonisolated struct Day: Codable, Sendable, Hashable, Comparable, CustomStringConvertible {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads `2026-11-23`; `nil` for other texts.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The day of a point in time, in UTC or another time zone.
    ///
    /// - Parameter secondsFromGMT: The offset of the time zone.
    init(_ date: Date, secondsFromGMT: Int = 0) {
        let text = (date + TimeInterval(secondsFromGMT)).formatted(.iso8601.year().month().day())
        self = Day(text) ?? Day(year: 1970, month: 1, day: 1)
    }

    /// `2026-11-23`
    var description: String {
        "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }

    static func < (left: Day, right: Day) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// Also reads a date with a time, of which only the day is kept.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = Day(String(text.prefix(10))) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a day like 2026-11-23")
        }
        self = day
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

nonisolated extension Day: QueryConvertible {
    var queryValue: QueryValue { .text(description) }
}
