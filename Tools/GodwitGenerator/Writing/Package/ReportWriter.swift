/// Writes the `GENERATED.md` of a client.
struct ReportWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    /// All notes, also those of the plan.
    let notes: [Note]
    /// All other files.
    let files: [GeneratedFile]
    /// 0 in a folder.
    let testCount: Int

    var file: GeneratedFile {
        let version = plan.version.map { ", version \($0)" } ?? ""
        return GeneratedPage(
            title: plan.name, source: plan.title + version, counts: counts, lists: catalogs, checks: checks,
            notes: notes, command: options.command
        ).file
    }

    private var counts: [(String, Int)] {
        [
            ("types", plan.models.count), ("operations", plan.operations.count),
            ("operations with pages", plan.operations.count { $0.paging != nil }),
        ] + (testCount > 0 ? [("tests", testCount)] : []) + [("files", files.count + 1)]
    }

    private var catalogs: [String] {
        plan.catalogs.map { catalog in
            let names = catalog.operations.map { "`\($0.name)`" }.joined(separator: ", ")
            return "- \(catalog.name): \(names)"
        }
    }

    private var checks: [String] {
        var checks = testCount > 0 ? ["- The tests: `swift test`. They need no network."] : []
        checks.append("- The guesses above, against the API.")
        if !plan.credentials.isEmpty { checks.append("- How your app gets and stores `\(plan.name)Credential`.") }
        if plan.environments.isEmpty { checks.append("- The base URL, which the document doesn't have.") }
        return checks
    }
}
