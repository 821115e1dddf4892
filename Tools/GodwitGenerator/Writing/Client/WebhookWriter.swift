/// Writes `NAMEWebhooks.swift`: reads the requests that the API sends to a server of its user.
struct WebhookWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package

    var files: [GeneratedFile] {
        guard let first = plan.webhooks.first else { return [] }
        let name = "\(plan.name)Webhooks"
        var text = SourceText()
        text.line(options.importLine("Godwit"))
        text.line()
        text.doc("Reads the requests that \(plan.title) sends to a server of yours: webhooks and callbacks.")
        text.docLine("")
        text.docLine(
            "Anyone can send such a request. So each function has its bytes verified first, as the API's documentation says."
        )
        text.docLine("")
        text.docLine("```swift")
        text.docLine("let value = try \(name).\(first.name)(body) { try check(signature, of: $0) }")
        text.docLine("```")
        text.block("nonisolated \(options.accessPrefix)enum \(name)") { text in
            for webhook in plan.webhooks {
                text.space()
                write(webhook, to: &text)
            }
        }
        return [GeneratedFile(path: layout.source("\(name).swift", in: plan), text: text.text)]
    }

    private func write(_ webhook: WebhookPlan, to text: inout SourceText) {
        text.doc(webhook.summary)
        if webhook.isDeprecated { text.docDeprecation(after: webhook.summary) }
        if webhook.summary?.isEmpty == false || webhook.isDeprecated { text.docLine("") }
        text.docLine("- Parameters:")
        text.docLine("  - body: The bytes of the request's body, as they were received.")
        text.docLine("  - verify: Throws if the request isn't from the API, such as for a wrong signature.")
        text.docLine("- Throws: What `verify` throws, and `NetworkError` if the body can't be decoded.")
        text.list(
            "\(options.accessPrefix)static func \(SwiftLiteral.identifier(webhook.name))(",
            ["_ body: Data", "verify: (Data) throws -> Void"],
            ") throws -> \(webhook.type.text) {")
        text.indented { text in
            text.line("try verify(body)")
            text.line("return try \(plan.name)API.coding.decode(\(webhook.type.text).self, from: body)")
        }
        text.line("}")
    }
}
