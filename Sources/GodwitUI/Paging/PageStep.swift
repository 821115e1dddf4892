/// A page that has come, for whoever still wants it.
@MainActor
struct PageStep<Item: Sendable> {
    let items: [Item]
    let isLast: Bool
    /// Moves the place behind the page. Without it the same page is asked for again.
    let accept: @MainActor () -> Void
}
