import GodwitSupport
import Testing

@Suite("EditDistance")
struct EditDistanceTests {
    @Test(
        "A missing, extra, wrong or swapped character is one edit",
        arguments: [
            ("", "", 0), ("tide", "tide", 0), ("tide", "", 4), ("", "tide", 4), ("tide", "tid", 1),
            ("tide", "tides", 1),
            ("tide", "tidy", 1), ("tide", "tdie", 1), ("GTE", "GET", 1), ("kitten", "sitting", 3), ("a", "b", 1),
        ])
    func edits(_ left: String, _ right: String, _ count: Int) {
        #expect(EditDistance.between(left, right) == count)
        #expect(EditDistance.between(right, left) == count)
    }
}
