import GodwitCore
import Testing

@Suite("Options of middlewares")
struct RequestOptionTests {
    /// As many different options as a type can be nested.
    private enum Nested<Inner>: RequestOption {
        typealias Value = Int?
        static var defaultValue: Int? { 7 }
    }

    /// Sets every second one of some options, or checks them all, from the given depth on.
    private func visit<Inner>(_ type: Inner.Type, _ depth: Int, _ options: inout RequestOptions, sets: Bool) {
        guard depth < 200 else { return }
        if sets, depth.isMultiple(of: 2) { options[Nested<Inner>.self] = depth }
        if !sets { #expect(options[Nested<Inner>.self] == (depth.isMultiple(of: 2) ? depth : 7)) }
        visit(Nested<Inner>.self, depth + 1, &options, sets: sets)
    }

    @Test("each of many options has its value, and those that aren't set have their default")
    func many() {
        var options = RequestOptions()
        visit(Int.self, 0, &options, sets: true)
        visit(Int.self, 0, &options, sets: false)
    }

    @Test("an option that is set to nil has no value, whatever its default")
    func none() {
        var options = RequestOptions()
        #expect(options[Nested<Int>.self] == 7)
        options[Nested<Int>.self] = nil
        #expect(options[Nested<Int>.self] == nil)
        let copy = options
        options[Nested<Int>.self] = 8
        #expect(options[Nested<Int>.self] == 8 && copy[Nested<Int>.self] == nil)
    }
}
