import GodwitJSON
import Testing

@Suite("J3 Syntax errors")
struct JSONSyntaxErrorTests {
    @Test("J3 the description has the position and the reason")
    func description() {
        let error = JSONSyntaxError(expectation: "expected a value", found: "]", offset: 12, line: 3, column: 9)
        #expect("\(error)" == "line 3, column 9: expected a value, found \"]\"")
    }
}
