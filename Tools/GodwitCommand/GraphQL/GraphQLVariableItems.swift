import Godwit
import GodwitGraphQL

/// The variables that the command line describes: `--variables`, and the items.
struct GraphQLVariableItems {
    private let arguments: RequestArguments
    private let command: Command

    init(_ arguments: RequestArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
    }

    /// A value, or a file that is sent with the operation.
    private enum Variable: Encodable, Sendable {
        /// JSON as it was written.
        case value(JSONElement)
        case upload(GraphQLUpload)
        case uploads([GraphQLUpload])

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .value(let value): try value.encode(to: encoder)
            case .upload(let upload): try upload.encode(to: encoder)
            case .uploads(let uploads): try uploads.encode(to: encoder)
            }
        }
    }

    func variables() async throws(CommandFailure) -> GraphQLVariables {
        var variables: [String: Variable] = [:]
        if let source = arguments.graphQL.variables {
            try add(try await Self.value(of: source, "--variables"), "--variables", to: &variables)
        }
        var others = arguments
        others.items.removeAll(where: \.isPart)
        if let items = try await BodyBuilder(arguments: others, input: command.input).members() {
            try add(try Self.value(Data(items.text(.compact).utf8), "the items"), "the items", to: &variables)
        }
        for case .part(let name, let part) in arguments.items {
            let type = try part.type.map { text throws(CommandFailure) in try BodyBuilder.mediaType(text) }
            let upload = GraphQLUpload(file: URL(filePath: part.path), fileName: part.fileName, type: type)
            guard name.hasSuffix("[]") else {
                variables[name] = .upload(upload)
                continue
            }
            let list = String(name.dropLast(2))
            if case .uploads(let earlier) = variables[list] {
                variables[list] = .uploads(earlier + [upload])
            } else {
                variables[list] = .uploads([upload])
            }
        }
        return variables.isEmpty ? [:] : GraphQLVariables(variables)
    }

    private func add(
        _ value: JSONElement, _ name: String, to variables: inout [String: Variable]
    ) throws(CommandFailure) {
        guard value.kind == .object else {
            throw .usage(UsageError("\(name) must be a JSON object", command: "graphql"))
        }
        for member in value.members { variables[member.key] = .value(member.value) }
    }

    /// The JSON value of an option.
    static func value(of source: TextSource, _ name: String) async throws(CommandFailure) -> JSONElement {
        switch source {
        case .text(let text): return try value(Data(text.utf8), name)
        case .file(let path): return try value(try await SmallFile.contents(of: path), name)
        default: throw .usage(UsageError("\(name) needs JSON or @FILE", command: "graphql"))
        }
    }

    private static func value(_ data: Data, _ name: String) throws(CommandFailure) -> JSONElement {
        do throws(JSONSyntaxError) {
            return try JSONDocument(parsing: data).root
        } catch {
            throw .usage(UsageError("\(name) is not valid JSON: \(error)", command: "graphql"))
        }
    }
}

extension RequestItem {
    fileprivate var isPart: Bool {
        if case .part = self { true } else { false }
    }
}
