/// All files of a client that aren't models, endpoints and support types, and what a person should know about them.
struct ClientFiles: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    let layout: OutputLayout
    private let examples: ExampleSet
    private let modelTests: ModelTestWriter
    private let endpointTests: EndpointTestWriter
    private let clientTests: ClientTestWriter

    init(plan: ClientPlan, options: GeneratorOptions, layout: OutputLayout = .package) {
        self.plan = plan
        self.options = options
        self.layout = layout
        examples = ExampleSet(plan)
        let calls = SampleCalls(plan, examples)
        modelTests = ModelTestWriter(plan: plan, options: options, layout: layout, examples: examples)
        endpointTests = EndpointTestWriter(plan: plan, options: options, layout: layout, calls: calls)
        clientTests = ClientTestWriter(
            plan: plan, options: options, layout: layout, examples: examples, calls: calls)
    }

    /// The API, its credentials, lists, repositories and screens, in no particular order.
    var sources: [GeneratedFile] {
        APIWriter(plan: plan, options: options, layout: layout).files
            + CredentialWriter(plan: plan, options: options, layout: layout).files
            + FailureWriter(plan: plan, options: options, layout: layout).files
            + WebhookWriter(plan: plan, options: options, layout: layout).files
            + PagesWriter(plan: plan, options: options, layout: layout).files
            + RepositoryWriter(plan: plan, options: options, layout: layout).files
            + ScreenWriter(plan: plan, options: options, layout: layout).files
    }

    /// Tests, with the examples and the mock server that they use.
    var tests: [GeneratedFile] {
        ExamplesWriter(plan: plan, options: options, layout: layout, examples: examples).files
            + ServerWriter(plan: plan, options: options, layout: layout, examples: examples).files
            + modelTests.files + endpointTests.files + clientTests.files
    }

    /// `Package.swift`; nothing in a folder.
    func manifest(_ dependency: PackageDependency) -> [GeneratedFile] {
        ManifestWriter(plan: plan, options: options, layout: layout, dependency: dependency).files
    }

    /// `GENERATED.md`
    ///
    /// - Parameter files: All others.
    func report(on files: [GeneratedFile]) -> GeneratedFile {
        ReportWriter(plan: plan, options: options, notes: plan.notes + notes, files: files, testCount: testCount).file
    }

    /// The number of tests that are written.
    var testCount: Int {
        layout == .package ? modelTests.count + endpointTests.count + clientTests.count : 0
    }

    /// Guesses and omissions of the writers; those of the plan come first.
    var notes: [Note] {
        APIWriter(plan: plan, options: options).notes + CredentialWriter(plan: plan, options: options).notes
            + PagesWriter(plan: plan, options: options).notes + examples.notes + endpointTests.notes
    }
}
