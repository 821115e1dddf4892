/// Where a feed's reading brings what it reads.
struct FeedSink<Element: Sendable>: Sendable {
    enum Event: Sendable {
        case state(LiveFeed<Element>.State)
        case element(Element)
    }

    private let take: @MainActor @Sendable (Event) -> Void

    init(_ take: @escaping @MainActor @Sendable (Event) -> Void) {
        self.take = take
    }

    /// Shows all elements, and beside them the states; returns when the elements are over.
    func show<Elements: AsyncSequence & Sendable, States: AsyncSequence & Sendable>(
        _ elements: Elements, beside states: States
    ) async throws
    where Elements.Element == Element, States.Element == LiveFeed<Element>.State?, States.Failure == Never {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await state in states {
                    if let state { await take(.state(state)) }
                }
            }
            defer { group.cancelAll() }
            for try await element in elements { await take(.element(element)) }
        }
    }
}
