/// Writes the enum for an operation whose successes have different bodies.
struct ResponsesWriter {
    let plan: ResponsesPlan
    let operation: OperationPlan
    let access: String

    func write(to text: inout SourceText) {
        text.docLine("What ``Endpoint/\(operation.name)`` returns, by the status of the response.")
        text.block("nonisolated \(access)enum \(plan.type.text): Sendable, Hashable") { text in
            for item in plan.cases {
                let words = item.summary.map { ": \($0)" } ?? ""
                text.doc(item.status.text + words)
                text.wrapped("case \(SwiftLiteral.identifier(item.name))\(Self.payload(item.body))")
            }
            text.docLine("A success that the document doesn't have.")
            text.line("case unknown(status: Int, body: Data)")
            text.line()
            reading(&text)
        }
    }

    private static func payload(_ body: ResponsesPlan.Body) -> String {
        switch body {
        case .none: ""
        case .json(let type): "(\(type.text))"
        case .text: "(String)"
        case .data: "(Data)"
        }
    }

    private func reading(_ text: inout SourceText) {
        text.block("init(_ body: Data, _ head: HTTPResponseHead, _ coding: JSONCoding) throws") { text in
            text.line("switch head.status.code {")
            for item in plan.cases where item.pattern != nil {
                text.branch(
                    "case \(item.pattern ?? ""):",
                    "self = .\(SwiftLiteral.identifier(item.name))\(Self.value(item.body))")
            }
            let rest = plan.cases.first { $0.pattern == nil }
            text.branch(
                "default:",
                rest.map { "self = .\(SwiftLiteral.identifier($0.name))\(Self.value($0.body))" }
                    ?? "self = .unknown(status: head.status.code, body: body)")
            text.line("}")
        }
    }

    private static func value(_ body: ResponsesPlan.Body) -> String {
        switch body {
        case .none: ""
        case .json(let type): "(try coding.decode(\(type.text).self, from: body))"
        case .text: "(try String(body: body, head: head))"
        case .data: "(body)"
        }
    }
}

extension ResponsesPlan.Case {
    /// The pattern of its statuses; `nil` for all others.
    fileprivate var pattern: String? {
        switch status {
        case .code(let code): "\(code)"
        case .range, .default: nil
        }
    }
}
