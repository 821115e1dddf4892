/// Results, and the text that they were found by.
struct Found<Results: Sendable>: Sendable {
    let text: String
    let results: Results
}
