/// A call of each operation that tests can make.
struct SampleCalls: Sendable {
    private let calls: [String: SampleCall]

    init(_ plan: ClientPlan, _ examples: ExampleSet) {
        var maker = ArgumentMaker(models: plan.index, examples: plan.name + "Examples")
        while plan.operations.contains(where: { $0.source.path.contains("/" + maker.text) }) { maker.text += "s" }
        let pairs = plan.operations.compactMap { operation in
            Self.call(operation, maker, examples).map { (operation.name, $0) }
        }
        calls = Dictionary(pairs) { first, _ in first }
    }

    /// The call of an operation; `nil` if no value could be made for an argument or the response.
    subscript(operation: OperationPlan) -> SampleCall? { calls[operation.name] }

    private static func call(
        _ operation: OperationPlan, _ maker: ArgumentMaker, _ examples: ExampleSet
    ) -> SampleCall? {
        switch operation.response {
        case .json, .events(_?, _), .lines(_?): if examples.responses[operation.name] == nil { return nil }
        case .none, .text, .data, .events, .lines, .byStatus: break
        }
        return SampleCall(operation, maker, examples)
    }
}
