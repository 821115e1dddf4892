/// Writes the base URLs as members of `NAMEAPI`.
struct EnvironmentWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions

    private static let taken: Set<String> = ["client", "configuration", "coding"]

    /// The environments with absolute URLs; the caller gives others.
    private var environments: [EnvironmentPlan] {
        plan.environments.filter { EnvironmentPlan.isAbsolute($0.defaultURL) }
    }

    /// The default of clients, as an expression; `nil` if the caller must give an environment.
    var defaultName: String? {
        environments.first.map { name(of: $0) + ($0.variables.isEmpty ? "" : "()") }
    }

    /// The names of the environments, as literals.
    var names: [String] { environments.map { SwiftLiteral.string($0.name) } }

    var notes: [Note] {
        plan.environments.filter { !EnvironmentPlan.isAbsolute($0.defaultURL) }.map { environment in
            Note(
                .omission,
                "The server `\(environment.url)` has no host: pass `APIEnvironment(name:baseURL:)` with the whole URL")
        }
    }

    func write(to text: inout SourceText) {
        let types = typeNames
        for environment in environments {
            text.space()
            let name = name(of: environment)
            text.doc(environment.summary ?? "The base URL \(environment.url).")
            guard !environment.variables.isEmpty else {
                text.call(
                    "\(options.accessPrefix)static let \(name) = APIEnvironment(",
                    [
                        "name: \(SwiftLiteral.string(environment.name))",
                        "baseURL: \(SwiftLiteral.string(environment.url))",
                    ],
                    ")")
                continue
            }
            function(environment, name, types, &text)
            choices(of: environment, types, &text)
        }
    }

    private func name(of environment: EnvironmentPlan) -> String {
        SwiftLiteral.identifier(Self.taken.contains(environment.name) ? environment.name + "Server" : environment.name)
    }

    private func function(
        _ environment: EnvironmentPlan, _ name: String, _ types: [Owner: String], _ text: inout SourceText
    ) {
        text.docLine("")
        text.docLine("- Parameters:")
        for variable in environment.variables {
            text.doc("  - \(variable.name): \(variable.summary ?? "Replaces `{\(variable.key)}` in the URL.")")
        }
        let parameters = environment.variables.map { variable in
            let label = SwiftLiteral.label(variable.name)
            guard let value = Choice(variable)?.defaultCase, let type = types[Owner(environment, variable)] else {
                return "\(label): String = \(SwiftLiteral.string(variable.defaultValue))"
            }
            return "\(label): \(type) = .\(SwiftLiteral.identifier(value))"
        }
        text.list("\(options.accessPrefix)static func \(name)(", parameters, ") -> APIEnvironment {")
        text.indented { text in
            text.call(
                "APIEnvironment(",
                ["name: \(SwiftLiteral.string(environment.name))", "baseURL: \(url(of: environment))"],
                ")")
        }
        text.line("}")
    }

    /// The URL as a literal with interpolations.
    private func url(of environment: EnvironmentPlan) -> String {
        environment.interpolatedURL { Choice($0) == nil ? "" : ".rawValue" }
    }

    /// The variable of an environment.
    private struct Owner: Hashable {
        let environment: String
        let variable: String

        init(_ environment: EnvironmentPlan, _ variable: EnvironmentPlan.Variable) {
            self.environment = environment.name
            self.variable = variable.name
        }
    }

    /// The enums of the variables that have some values. Types of the module with such a name would be hidden by them.
    private var typeNames: [Owner: String] {
        var names = NameTable.types(plan.models.map(\.name.text) + ["\(plan.name)Credential"])
        var types: [Owner: String] = [:]
        for environment in environments {
            for variable in environment.variables where Choice(variable) != nil {
                types[Owner(environment, variable)] = names.take(
                    ReservedNames.nested(wantedName(of: variable, in: environment)))
            }
        }
        return types
    }

    private func wantedName(of variable: EnvironmentPlan.Variable, in environment: EnvironmentPlan) -> String {
        let name = variable.name.prefix(1).uppercased() + variable.name.dropFirst()
        let isShared = environments.contains { $0 != environment && $0.variables.contains { $0.name == variable.name } }
        return isShared ? environment.name.prefix(1).uppercased() + environment.name.dropFirst() + name : String(name)
    }

    private func choices(of environment: EnvironmentPlan, _ types: [Owner: String], _ text: inout SourceText) {
        for variable in environment.variables {
            guard let choice = Choice(variable), let type = types[Owner(environment, variable)] else { continue }
            text.space()
            text.docLine("The values of `{\(variable.key)}` in the URL.")
            let head = "\(options.accessPrefix)enum \(type)"
            text.block("nonisolated \(head): String, Sendable, Hashable, CaseIterable") { text in
                for (name, value) in zip(choice.names, variable.values) {
                    let isImplied = name == value
                    let raw = isImplied ? "" : " = \(SwiftLiteral.string(value))"
                    text.line("case \(SwiftLiteral.identifier(name))\(raw)")
                }
            }
        }
    }

    /// The cases of a variable with some values; `nil` if any value is allowed, or if the default isn't one of them.
    private struct Choice {
        let names: [String]
        let defaultCase: String

        init?(_ variable: EnvironmentPlan.Variable) {
            guard variable.values.count > 1, Set(variable.values).count == variable.values.count,
                let index = variable.values.firstIndex(of: variable.defaultValue)
            else { return nil }
            var table = NameTable.members(ReservedNames.rawValues)
            names = variable.values.map { table.take(SwiftName.member($0)) }
            defaultCase = names[index]
        }
    }
}

extension EnvironmentPlan {
    /// The URL as a literal, with its variables as interpolations.
    ///
    /// - Parameter member: What follows the name of a variable.
    func interpolatedURL(_ member: (Variable) -> String = { _ in "" }) -> String {
        variables.reduce(SwiftLiteral.string(url)) { url, variable in
            url.replacing(
                "{\(variable.key)}", with: "\\(\(SwiftLiteral.identifier(variable.name))\(member(variable)))")
        }
    }

    /// The URL with the defaults of its variables.
    var defaultURL: String {
        variables.reduce(url) { url, variable in url.replacing("{\(variable.key)}", with: variable.defaultValue) }
    }
}
