import Godwit
import GodwitPatterns
import GodwitSupport

// Dates.
extension CheckFilter {
    func dateStep(_ value: CheckValue, _ variables: Variables) throws(CheckFault) -> CheckValue {
        switch self {
        case .toDate(let format):
            let (text, format) = (try text(value), try format.text(variables))
            guard let date = try DateFormat(format).date(from: text) else {
                throw CheckFault("\(CheckValue.text(text).description) is not a date in the format \(format)")
            }
            return .date(date)
        case .format(let format):
            return .text(try DateFormat(try format.text(variables)).text(of: try date(value)))
        case .daysAfterNow: return Self.days(try date(value).timeIntervalSinceNow)
        default: return Self.days(-(try date(value).timeIntervalSinceNow))
        }
    }

    /// A date, or the date in a string as HTTP and ISO 8601 write it.
    private func date(_ value: CheckValue) throws(CheckFault) -> Date {
        if case .date(let date) = value { return date }
        if let text = value.string {
            for format in ["%+", "%a, %d %b %Y %H:%M:%S GMT"] {
                if let date = try DateFormat(format).date(from: text) { return date }
            }
        }
        throw fault("a date (see toDate)", value)
    }

    private static func days(_ seconds: Double) -> CheckValue { .integer(Int64(seconds / 86400)) }
}

/// A date format with the letters of strftime, in UTC and English.
struct DateFormat {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    /// The dates that are formatted: the years 0 to 9999.
    private static let range = -62_167_219_200.0..<253_402_300_800.0

    private enum Item {
        case literal(Unicode.Scalar)
        case letter(Unicode.Scalar)
        /// Digits after a decimal point, if there are any.
        case fraction
    }

    /// What a text says about a date.
    private struct Parts {
        var year = 1970
        var month = 1
        var day = 1
        var hour = 0
        var minute = 0
        var second = 0
        var fraction = 0.0
        var isAfternoon: Bool?
        /// Seconds to the east of UTC.
        var zone = 0
        var epoch: Double?
    }

    private let items: [Item]
    private let isISO: Bool

    init(_ format: String) throws(CheckFault) {
        isISO = format == "%+"
        var items: [Item] = []
        var scanner = TextScanner(isISO ? "%Y-%m-%dT%H:%M:%S%.f%z" : format)
        while let scalar = scanner.read() {
            guard scalar == "%" else {
                items.append(.literal(scalar))
                continue
            }
            if scanner.skip(".f") || scanner.skip(".3f") || scanner.skip(".6f") || scanner.skip(".9f") {
                items.append(.fraction)
                continue
            }
            guard let letter = scanner.read() else { throw CheckFault("the date format ends with %") }
            items += try Self.items(for: letter)
        }
        self.items = items
    }

    private static func items(for letter: Unicode.Scalar) throws(CheckFault) -> [Item] {
        switch letter {
        case "%": return [.literal("%")]
        case "T": return [.letter("H"), .literal(":"), .letter("M"), .literal(":"), .letter("S")]
        case "R": return [.letter("H"), .literal(":"), .letter("M")]
        case "F": return [.letter("Y"), .literal("-"), .letter("m"), .literal("-"), .letter("d")]
        case "h": return [.letter("b")]
        case "Y", "y", "m", "d", "e", "H", "I", "M", "S", "p", "b", "B", "a", "A", "j", "z", "Z", "s":
            return [.letter(letter)]
        default: throw CheckFault("%\(letter) isn't supported in a date format")
        }
    }
}

// Writing.
extension DateFormat {
    func text(of date: Date) throws(CheckFault) -> String {
        let seconds = date.timeIntervalSince1970
        guard Self.range.contains(seconds) else { throw CheckFault("the date is not in the years 0 to 9999") }
        let whole = Int(seconds.rounded(.down))
        let day = whole.quotientAndRemainder(flooringBy: 86400).quotient
        let (year, month, monthDay) = CivilDate.components(ofDay: day)
        let time = whole - day * 86400
        let yearDay = day - (CivilDate.day(year: year, month: 1, day: 1) ?? day) + 1
        var text = ""
        for item in items {
            switch item {
            case .literal(let scalar): text.unicodeScalars.append(scalar)
            case .fraction:
                let milliseconds = Int((seconds - Double(whole)) * 1000)
                if milliseconds > 0 { text += ".\(milliseconds.padded(to: 3))" }
            case .letter("Y"): text += year.padded(to: 4)
            case .letter("y"): text += (year % 100).padded(to: 2)
            case .letter("m"): text += month.padded(to: 2)
            case .letter("d"): text += monthDay.padded(to: 2)
            case .letter("e"): text += (monthDay < 10 ? " " : "") + "\(monthDay)"
            case .letter("H"): text += (time / 3600).padded(to: 2)
            case .letter("I"): text += ((time / 3600 + 11) % 12 + 1).padded(to: 2)
            case .letter("M"): text += (time / 60 % 60).padded(to: 2)
            case .letter("S"): text += (time % 60).padded(to: 2)
            case .letter("p"): text += time < 43200 ? "AM" : "PM"
            case .letter("b"): text += Self.months[month - 1].prefix(3)
            case .letter("B"): text += Self.months[month - 1]
            case .letter("a"): text += Self.weekday(day).prefix(3)
            case .letter("A"): text += Self.weekday(day)
            case .letter("j"): text += yearDay.padded(to: 3)
            case .letter("s"): text += "\(whole)"
            case .letter("z"): text += isISO ? "+00:00" : "+0000"
            case .letter: text += "UTC"
            }
        }
        return text
    }

    /// 1 January 1970 was a Thursday.
    private static func weekday(_ day: Int) -> String { days[((day + 4) % 7 + 7) % 7] }
}

// Reading.
extension DateFormat {
    /// The date that a text names; `nil` if it doesn't have the format.
    func date(from text: String) throws(CheckFault) -> Date? {
        var scanner = TextScanner(text)
        var parts = Parts()
        for item in items {
            switch item {
            case .literal(let scalar): guard scanner.read() == scalar else { return nil }
            case .fraction:
                guard scanner.skip(".") else { continue }
                guard let fraction = Double("0." + scanner.read { $0.isDigit }) else { return nil }
                parts.fraction = fraction
            case .letter(let letter): guard read(letter, from: &scanner, into: &parts) else { return nil }
            }
        }
        return scanner.isAtEnd ? Self.date(parts) : nil
    }

    private static func date(_ parts: Parts) -> Date? {
        if let epoch = parts.epoch { return Date(timeIntervalSince1970: epoch) }
        guard let day = CivilDate.day(year: parts.year, month: parts.month, day: parts.day) else { return nil }
        var hour = parts.hour
        if let isAfternoon = parts.isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        let seconds = day * 86400 + hour * 3600 + parts.minute * 60 + parts.second - parts.zone
        return Date(timeIntervalSince1970: Double(seconds) + parts.fraction)
    }

    private func read(_ letter: Unicode.Scalar, from scanner: inout TextScanner, into parts: inout Parts) -> Bool {
        switch letter {
        case "Y": return Self.number(&scanner, 4, into: &parts.year)
        case "y":
            guard Self.number(&scanner, 2, into: &parts.year) else { return false }
            parts.year += parts.year < 70 ? 2000 : 1900
        case "m": return Self.number(&scanner, 2, into: &parts.month)
        case "d", "e":
            scanner.skipSpaces()
            return Self.number(&scanner, 2, into: &parts.day)
        case "H", "I": return Self.number(&scanner, 2, into: &parts.hour) && parts.hour < 25
        case "M": return Self.number(&scanner, 2, into: &parts.minute) && parts.minute < 60
        case "S": return Self.number(&scanner, 2, into: &parts.second) && parts.second < 61
        case "j":
            var ignored = 0
            return Self.number(&scanner, 3, into: &ignored)
        case "p":
            parts.isAfternoon = scanner.skip("PM") || scanner.skip("pm")
            return parts.isAfternoon == true || scanner.skip("AM") || scanner.skip("am")
        case "b", "B":
            guard let index = Self.name(&scanner, Self.months, isWhole: letter == "B") else { return false }
            parts.month = index + 1
        case "a", "A": return Self.name(&scanner, Self.days, isWhole: letter == "A") != nil
        case "s":
            var seconds = 0
            guard Self.number(&scanner, 12, into: &seconds) else { return false }
            parts.epoch = Double(seconds)
        case "Z": return !scanner.read { $0.isASCIILetter }.isEmpty
        default: return readZone(&scanner, into: &parts)
        }
        return true
    }

    /// `Z`, `+0200` or `+02:00`.
    private func readZone(_ scanner: inout TextScanner, into parts: inout Parts) -> Bool {
        if scanner.skip("Z") { return true }
        let isWest = scanner.next == "-"
        guard scanner.skip("+") || scanner.skip("-") else { return false }
        var (hours, minutes) = (0, 0)
        let digits = scanner.offset
        guard Self.number(&scanner, 2, into: &hours), scanner.offset == digits + 2 else { return false }
        _ = scanner.skip(":")
        guard Self.number(&scanner, 2, into: &minutes) else { return false }
        parts.zone = (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
        return true
    }

    private static func number(_ scanner: inout TextScanner, _ width: Int, into value: inout Int) -> Bool {
        var digits = ""
        while digits.count < width, let scalar = scanner.next, scalar.isDigit {
            digits.unicodeScalars.append(scalar)
            scanner.offset += 1
        }
        guard let number = Int(digits) else { return false }
        value = number
        return true
    }

    private static func name(_ scanner: inout TextScanner, _ names: [String], isWhole: Bool) -> Int? {
        names.firstIndex { scanner.skip(isWhole ? $0 : String($0.prefix(3))) }
    }
}
