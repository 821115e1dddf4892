/// Powers of ten for the conversion of decimal digits to doubles.
enum PowersOfTen {
    /// The powers that a double represents exactly.
    static let exact: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// The exponents for which 128 bits of a power of five suffice to round correctly (Lemire 2021, section 9).
    private static let exponents = -27...55

    /// The first 128 bits of 5 to the power of each exponent, the highest bit set; reciprocals are rounded up.
    private static let fives: [(high: UInt64, low: UInt64)] = exponents.map { exponent in
        let power = (0..<abs(exponent)).reduce(into: UInt128(1)) { power, _ in power *= 5 }
        let bits = exponent < 0 ? reciprocal(UInt64(power)) : power << UInt128(power.leadingZeroBitCount)
        return (UInt64(truncatingIfNeeded: bits >> 64), UInt64(truncatingIfNeeded: bits))
    }

    /// The first 128 bits of 1 divided by a power of five, rounded up.
    private static func reciprocal(_ power: UInt64) -> UInt128 {
        // With the divisor's highest bit set, a quotient of 2^191 has 128 bits.
        let divisor = power << UInt64(power.leadingZeroBitCount)
        let (high, rest) = divisor.dividingFullWidth((1 << 63, 0))
        let low = divisor.dividingFullWidth((rest, 0)).quotient
        return (UInt128(high) << 64 | UInt128(low)) + 1
    }

    /// The double nearest to `significand` times a power of ten, by the algorithm of Eisel and Lemire; `nil` if this
    /// table doesn't have the power.
    static func double(_ significand: UInt64, _ exponent: Int) -> Double? {
        guard exponents.contains(exponent) else { return nil }
        guard significand != 0 else { return 0 }
        let zeros = significand.leadingZeroBitCount
        let product = product(significand << UInt64(zeros), fives[exponent &- exponents.lowerBound])
        let upper = Int(product.high >> 63)
        let shift = UInt64(upper &+ 64 &- 52 &- 3)
        var mantissa = product.high >> shift
        // floor(log2(10^exponent)) + 63.
        let power = ((217706 &* exponent) >> 16) &+ 63
        var biased = power &+ upper &- zeros &+ 1023
        // Halfway between two doubles: round to even.
        if product.low <= 1, exponent >= -4, exponent <= 23, mantissa & 3 == 1, mantissa << shift == product.high {
            mantissa &= ~1
        }
        mantissa = (mantissa &+ (mantissa & 1)) >> 1
        if mantissa >= 1 << 53 {
            mantissa = 1 << 52
            biased &+= 1
        }
        return Double(sign: .plus, exponentBitPattern: UInt(biased), significandBitPattern: mantissa & ~(1 << 52))
    }

    private static func product(
        _ factor: UInt64, _ five: (high: UInt64, low: UInt64)
    ) -> (high: UInt64, low: UInt64) {
        var first = factor.multipliedFullWidth(by: five.high)
        guard first.high & 0x1FF == 0x1FF else { return (first.high, first.low) }
        let second = factor.multipliedFullWidth(by: five.low)
        let (low, carries) = first.low.addingReportingOverflow(second.high)
        first.low = low
        return (carries ? first.high &+ 1 : first.high, first.low)
    }
}
