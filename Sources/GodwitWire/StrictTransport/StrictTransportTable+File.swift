import GodwitSupport

// The text of a file, in the form of curl's `--hsts`: one line for each host, such as `.example.com "20271231 23:59:59"`. A
// dot before the host stands for its subdomains.
extension StrictTransportTable {
    private static let header = "# Your HSTS cache. https://curl.se/docs/hsts.html\n"
    /// What precedes the time at which all entries were removed, in seconds since 1970. To curl it is a comment.
    private static let clearing = "# Cleared at "
    private static let longestLine = 512

    package var text: String {
        let lines = entries.map { host, entry in
            "\(entry.includesSubdomains ? "." : "")\(host) \"\(Self.text(ofTime: entry.expires))\"\n"
        }
        let mark = cleared.isFinite ? "\(Self.clearing)\(cleared)\n" : ""
        return Self.header + mark + lines.sorted().joined()
    }

    /// Reads a text. Comments, expired and malformed lines are skipped; `nil` if it has lines, and none is of this form.
    package init?(_ text: String, at time: Double) {
        self.init()
        var isOther = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("#") {
                noteClearing(line, at: time)
                continue
            }
            guard line.utf8.count <= Self.longestLine, let (host, includesSubdomains, expires) = Self.entry(of: line)
            else {
                isOther = true
                continue
            }
            guard expires > time, entries.count < Self.mostHosts else { continue }
            let latest = min(expires, time + Double(DeltaSeconds.largest))
            _ = set(Entry(includesSubdomains: includesSubdomains, expires: latest), for: host, at: time)
        }
        if isOther, entries.isEmpty { return nil }
    }

    /// A time in the future is that of a clock that was set back.
    private mutating func noteClearing(_ line: Substring, at time: Double) {
        guard line.hasPrefix(Self.clearing), let noted = Double(line.dropFirst(Self.clearing.count)) else { return }
        cleared = max(cleared, min(noted, time))
    }

    private static func entry(of line: Substring) -> (host: String, includesSubdomains: Bool, expires: Double)? {
        guard let blank = line.firstIndex(of: " ") else { return nil }
        let (written, date) = (line[..<blank], line[line.index(after: blank)...])
        let includesSubdomains = written.hasPrefix(".")
        guard let expires = time(of: date), let url = try? HTTPURL("https://\(written.drop { $0 == "." })/"),
            url.absoluteString == "https://\(url.host)/"
        else { return nil }
        return (url.host, includesSubdomains, expires)
    }

    private static func text(ofTime time: Double) -> String {
        let (days, inDay) = Int(saturating: time).quotientAndRemainder(flooringBy: 86_400)
        let (year, month, day) = CivilDate.components(ofDay: days)
        let clock = [inDay / 3600, inDay / 60 % 60, inDay % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        return "\(year.padded(to: 4))\(month.padded(to: 2))\(day.padded(to: 2)) \(clock)"
    }

    /// Reads `"20271231 23:59:59"`, or `"unlimited"`, as curl writes it.
    private static func time(of text: Substring) -> Double? {
        guard text.first == "\"", text.last == "\"", text.utf8.count > 2 else { return nil }
        let date = text.dropFirst().dropLast()
        if date == "unlimited" { return .infinity }
        let parts = date.split(whereSeparator: { $0 == " " || $0 == ":" })
        let numbers = parts.compactMap { $0.utf8.allSatisfy(\.isDigit) ? Int($0) : nil }
        guard numbers.count == 4, parts.count == 4, parts[0].utf8.count == 8 else { return nil }
        let clock = (hour: numbers[1], minute: numbers[2], second: numbers[3])
        return HTTPDate.date(
            year: numbers[0] / 10_000, month: numbers[0] / 100 % 100, day: numbers[0] % 100, clock: clock)?
            .timeIntervalSince1970
    }
}
