/// All files of a client that aren't models, endpoints and support types, and what a person should know about them.
struct ClientFiles: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    let layout: OutputLayout
    private let examples: ExampleSet

    init(plan: ClientPlan, options: GeneratorOptions, layout: OutputLayout = .package) {
        self.plan = plan
        self.options = options
        self.layout = layout
        examples = ExampleSet(plan)
    }

    /// In no particular order.
    var files: [GeneratedFile] { sources + tests }

    private var sources: [GeneratedFile] {
        APIWriter(plan: plan, options: options, layout: layout).files
            + CredentialWriter(plan: plan, options: options, layout: layout).files
            + FailureWriter(plan: plan, options: options, layout: layout).files
            + PagesWriter(plan: plan, options: options, layout: layout).files
            + RepositoryWriter(plan: plan, options: options, layout: layout).files
    }

    private var tests: [GeneratedFile] {
        ExamplesWriter(plan: plan, options: options, layout: layout, examples: examples).files
            + ServerWriter(plan: plan, options: options, layout: layout, examples: examples).files
            + ModelTestWriter(plan: plan, options: options, layout: layout, examples: examples).files
            + EndpointTestWriter(plan: plan, options: options, layout: layout, examples: examples).files
            + ClientTestWriter(plan: plan, options: options, layout: layout, examples: examples).files
    }

    /// Guesses and omissions of the writers.
    var notes: [Note] {
        APIWriter(plan: plan, options: options).notes + CredentialWriter(plan: plan, options: options).notes
            + PagesWriter(plan: plan, options: options).notes + examples.notes
            + EndpointTestWriter(plan: plan, options: options, examples: examples).notes
    }
}
