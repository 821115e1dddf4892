/// An IP address as written in a URL (RFC 3986 section 3.2.2), in its one canonical form.
///
/// Addresses have many spellings, and some resolvers read `0177.1` as 127.0.0.1. Accepting only one spelling ensures
/// that the host that was checked is the host that is dialed.
package enum IPAddress {
    /// The four bytes of a dotted quad; `nil` for octal, hexadecimal and abbreviated forms.
    package static func v4(_ text: some StringProtocol) -> SIMD4<UInt8>? {
        var quad = SIMD4<UInt8>()
        var place = 0
        var number: Int?
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") {
                guard let finished = number, place < 3 else { return nil }
                quad[place] = UInt8(finished)
                place += 1
                number = nil
            } else {
                // A zero must be its number's only digit: some resolvers read a leading zero as octal.
                guard byte.isDigit, number != 0 else { return nil }
                let value = (number ?? 0) * 10 + Int(byte - 0x30)
                guard value <= 255 else { return nil }
                number = value
            }
        }
        guard let last = number, place == 3 else { return nil }
        quad[3] = UInt8(last)
        return quad
    }

    /// The eight groups of an IPv6 address without brackets or zone (RFC 4291 section 2.2).
    package static func v6(_ text: Substring) -> [UInt16]? {
        guard let pieces = pieces(of: text) else { return nil }
        var groups: [UInt16] = []
        var gap: Int?
        for (index, piece) in pieces.enumerated() {
            if piece.isEmpty {
                guard gap == nil else { return nil }
                gap = groups.count
            } else if let group = group(piece) {
                groups.append(group)
            } else {
                guard index == pieces.count - 1, let quad = v4(piece) else { return nil }
                groups.append(UInt16(quad[0]) << 8 | UInt16(quad[1]))
                groups.append(UInt16(quad[2]) << 8 | UInt16(quad[3]))
            }
        }
        guard let gap else { return groups.count == 8 ? groups : nil }
        guard groups.count < 8 else { return nil }
        groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        return groups
    }

    /// The address in the form of RFC 5952: lowercase, the longest run of zeros as `::`.
    static func canonical(_ groups: [UInt16]) -> String {
        let gap = longestZeros(in: groups)
        func hex(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard gap.count > 1 else { return hex(groups[...]) }
        return hex(groups[..<gap.lowerBound]) + "::" + hex(groups[gap.upperBound...])
    }

    /// The text between colons, with one empty piece for `::`.
    private static func pieces(of text: Substring) -> [String]? {
        var pieces = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard pieces.count > 2 else { return nil }
        if text.hasPrefix("::") { pieces.removeFirst() } else if pieces.first == "" { return nil }
        if text.hasSuffix("::") { pieces.removeLast() } else if pieces.last == "" { return nil }
        return pieces
    }

    private static func group(_ piece: String) -> UInt16? {
        guard piece.utf8.count <= 4, piece.utf8.allSatisfy(isHexDigit) else { return nil }
        return UInt16(piece, radix: 16)
    }

    private static func longestZeros(in groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<(index + 1) }
        }
        return longest
    }

    static func isHexDigit(_ byte: UInt8) -> Bool {
        byte.isDigit || (0x61...0x66).contains(byte.asciiLowercased)
    }
}
