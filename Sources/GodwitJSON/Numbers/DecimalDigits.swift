/// Up to 19 significant digits of a number and its decimal exponent, for fast conversion to binary.
struct DecimalDigits {
    private var significand: UInt64 = 0
    private var exponent = 0
    private var isNegative = false
    /// Whether all digits fit and the exponent is small.
    private var isExact = true

    /// Reads the text of a JSON number.
    @inline(__always)
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        let end = bytes.count
        var place = 0
        if bytes[0] == UInt8(ascii: "-") {
            isNegative = true
            place = 1
        }
        let first = place
        addDigits(bytes, &place, end)
        var count = place &- first
        if place < end, bytes[place] == UInt8(ascii: ".") {
            let point = place &+ 1
            place = point
            addDigits(bytes, &place, end)
            exponent = point &- place
            count &+= place &- point
        }
        // Leading zeros aren't significant, but numbers with many of them are rare.
        isExact = count <= 19
        if place < end { addExponent(bytes, place &+ 1, end) }
    }

    @inline(__always)
    private mutating func addDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int, _ end: Int) {
        while place < end {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return }
            significand = significand &* 10 &+ UInt64(digit)
            place &+= 1
        }
    }

    private mutating func addExponent(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
        var (place, value) = (start, 0)
        let isMinus = bytes[start] == UInt8(ascii: "-")
        if isMinus || bytes[start] == UInt8(ascii: "+") { place &+= 1 }
        guard end &- place <= 4 else {
            isExact = false
            return
        }
        while place < end {
            value = value &* 10 &+ Int(bytes[place] &- UInt8(ascii: "0"))
            place &+= 1
        }
        exponent &+= isMinus ? 0 &- value : value
    }

    /// The nearest double; `nil` if this number needs a slower conversion.
    @inline(__always)
    var double: Double? {
        guard isExact else { return nil }
        if significand <= 1 << 53, exponent >= -22, exponent <= 22 {
            // Both operands are exact, so that the result is rounded only once (Clinger 1990).
            let value = Double(significand)
            let magnitude =
                exponent < 0 ? value / PowersOfTen.exact[0 &- exponent] : value * PowersOfTen.exact[exponent]
            return isNegative ? -magnitude : magnitude
        }
        return PowersOfTen.double(significand, exponent).map { isNegative ? -$0 : $0 }
    }

    /// The nearest float; `nil` if this number needs a slower conversion.
    var float: Float? {
        guard isExact, significand <= 1 << 24, exponent >= -10, exponent <= 10 else { return nil }
        let (value, power) = (Float(significand), Float(PowersOfTen.exact[abs(exponent)]))
        let magnitude = exponent < 0 ? value / power : value * power
        return isNegative ? -magnitude : magnitude
    }
}
