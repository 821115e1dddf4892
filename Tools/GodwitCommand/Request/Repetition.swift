import Godwit

/// How often a request is sent.
struct Repetition: Sendable {
    /// The number of times; `nil` means once, or without an end if there is a pause.
    var count: Int?
    /// The time between two requests.
    var pause: Duration?

    var repeats: Bool { count != nil || pause != nil }

    /// Whether another request follows after so many.
    func continues(after number: Int) -> Bool {
        count.map { number < $0 } ?? (pause != nil)
    }
}
