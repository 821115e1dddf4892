import Godwit
import GodwitPatterns

/// Finds variables that can't have a value, before anything is sent.
enum VariableCheck {
    static func check(_ file: RequestFile, _ initial: Set<String>) throws(SyntaxFault) {
        var known = initial.union(Variables.functions)
        for entry in file.entries {
            for option in entry.options where option.name == .variable {
                if let text = option.value.parts.first, case .text(let start) = text,
                    let mark = start.firstIndex(of: "=")
                {
                    known.insert(start[..<mark].trimmingSpaces)
                }
            }
            for template in entry.requestTemplates { try check(template, known) }
            guard let response = entry.response else { continue }
            for capture in response.captures {
                for template in capture.templates { try check(template, known) }
                known.insert(capture.name)
            }
            let templates = response.fields.flatMap(\.templates) + response.asserts.flatMap(\.templates)
            for template in templates + (response.body?.templates ?? []) { try check(template, known) }
        }
    }

    private static func check(_ template: Template, _ known: Set<String>) throws(SyntaxFault) {
        for expression in template.expressions {
            guard known.contains(expression.name) else {
                let hint = CheckParser.hint(for: expression.name, among: known)
                throw SyntaxFault(
                    "the variable \(CheckValue.shortened(expression.name)) has no value\(hint); set it with --variable or a capture",
                    at: expression.offset)
            }
            for filter in expression.filters {
                for template in filter.templates { try check(template, known) }
            }
        }
    }
}
