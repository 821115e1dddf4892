import GodwitURLSession

/// Classes by the number: as many as are asked for, made when they are.
final class NumberedStub<Digits>: StubURLProtocol {
    /// The class of a number, from 1: its binary digits, the lowest outermost but the highest, are a type.
    static func numbered(_ number: Int) -> StubURLProtocol.Type {
        if number <= 1 { return NumberedStub<Digits>.self }
        let rest = number / 2
        return number % 2 == 0 ? NumberedStub<Zero<Digits>>.numbered(rest) : NumberedStub<One<Digits>>.numbered(rest)
    }
}

/// A number with one more binary digit.
private enum Zero<Digits> {}
private enum One<Digits> {}
