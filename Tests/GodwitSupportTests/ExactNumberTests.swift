import GodwitSupport
import Testing

@Suite("ExactNumber")
struct ExactNumberTests {
    @Test(
        "Numbers are compared by value with all their digits",
        arguments: [
            ("1", "1.0", 0), ("10e-1", "1", 0), ("0.10E+1", "1", 0), ("0", "-0.0e9", 0), ("1e400", "10e399", 0),
            ("9007199254740993", "9007199254740992", 1), ("18446744073709551615", "18446744073709551616", -1),
            ("-2", "1", -1), ("-2", "-1", -1), ("-1e2", "-99.9", -1), ("0", "1e-999", -1), ("-1e-999", "0", -1),
            ("1e99999999999999999999", "1e400", 1), ("1e-99999999999999999999", "1e-400", -1), ("0.12", "0.119", 1),
            ("100", "99.9999999999999999999999999999", 1),
        ])
    func comparison(_ left: String, _ right: String, _ order: Int) {
        let (left, right) = (ExactNumber(source: left), ExactNumber(source: right))
        #expect((left == right) == (order == 0))
        #expect((left.hashValue == right.hashValue) == (order == 0))
        #expect((left < right) == (order < 0))
        #expect((right < left) == (order > 0))
    }

    @Test(
        "The integer part keeps its digits",
        arguments: [
            ("18446744073709551615", "18446744073709551615"), ("1.9", "1"), ("-1.9", "-1"), ("0.9", "0"), ("-0.9", "0"),
            ("12.5e1", "125"), ("12e3", "12000"), ("1e-9", "0"), ("1e65", nil), ("1e99999999999999999999", nil),
        ])
    func truncation(_ number: String, _ integer: String?) {
        #expect(ExactNumber(source: number).truncated?.description == integer)
    }

    @Test(
        "A number is a multiple of another by its digits",
        arguments: [
            ("6", "3", true), ("7", "3", false), ("0.3", "0.1", true), ("0.35", "0.1", false), ("-4.5", "1.5", true),
            ("0", "7", true), ("1.0", "1", true), ("1.5", "1", false), ("1e400", "1", true), ("1e-400", "1", false),
            ("18446744073709551615", "5", true), ("36893488147419103230", "18446744073709551615", true),
            ("184467440737095516150", "18446744073709551614", false), ("7e99999999999999999999", "7", true),
            ("1", "0", nil), ("1", "1e-99999999999999999999", nil), ("1", "123456789012345678901234567890", nil),
        ])
    func multiples(_ number: String, _ divisor: String, _ isMultiple: Bool?) {
        #expect(ExactNumber(source: number).isMultiple(of: ExactNumber(source: divisor)) == isMultiple)
    }

    @Test("A number is an integer by its spelling, and can be spelled with a fraction")
    func spelling() {
        #expect(["1", "-1", "18446744073709551615"].allSatisfy { ExactNumber(source: $0).isInteger })
        #expect(["1.0", "1e2", "1E2"].allSatisfy { !ExactNumber(source: $0).isInteger })
        #expect(["1", "1.50", "1e2"].map { ExactNumber(source: $0).fractional.description } == ["1.0", "1.50", "1e2"])
        #expect(ExactNumber(Double.infinity) == nil)
        #expect(ExactNumber(UInt64.max).description == "18446744073709551615")
        #expect(ExactNumber(source: "1e400").double == .infinity)
    }
}

@Suite("ExactText")
struct ExactTextTests {
    @Test("Texts are equal if all code units are")
    func equality() {
        let (composed, decomposed): (ExactText, ExactText) = ("\u{E1}", "a\u{301}")
        #expect(composed != decomposed)
        #expect(composed.description == decomposed.description)
        #expect([composed: 1, decomposed: 2].count == 2)
        #expect(decomposed < composed && !(composed < decomposed))
        #expect(composed == "\u{E1}")
    }
}
