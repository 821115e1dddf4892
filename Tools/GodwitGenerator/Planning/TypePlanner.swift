/// Plans the types of a client: named ones first, and those inside of them where they are found.
struct TypePlanner {
    /// Which type is made of a schema that has more than one.
    enum Variant: Hashable {
        /// What responses have, and requests too if they are the same.
        case whole
        /// Without read-only members.
        case draft
        /// All members are `Patch` values.
        case change
    }

    private struct Key: Hashable {
        let name: String
        let variant: Variant
    }

    let schemas: [String: Schema]
    let usage: SchemaUsage
    private(set) var models: [TypeName: ModelPlan] = [:]
    var notes: [Note] = []
    /// The names at the top level.
    private var names: NameTable
    private var nestedNames: [TypeName: NameTable] = [:]
    private var nestedLastNames: Set<String> = []
    private var named: [Key: TypeName] = [:]
    /// Aliases that are being looked through, for those that contain themselves.
    private var openAliases: Set<String> = []
    /// The types of the members in envelopes, by the names of these.
    var unwrapped: [String: SwiftType] = [:]
    private let prefix: String
    /// Names that FastAPI makes, with the names that they get here.
    private let frameworkNames: [String: String]
    /// The sides that send the type that is being planned: members that only the other side sends are left out.
    var direction: ModelPlan.Direction = [.request, .response]

    /// - Parameter prefix: Comes before names that Swift or Godwit has: the name of the API.
    init(_ description: APIDescription, _ usage: SchemaUsage, prefix: String) {
        schemas = description.schemasByName
        self.usage = usage
        self.prefix = prefix
        frameworkNames = FrameworkNames.names(for: description)
        names = .types(ReservedNames.types.union(Self.ownNames(prefix)))
        for schema in description.schemas where Self.isModel(schema.schema) {
            named[Key(name: schema.name, variant: .whole)] = takeName(
                SwiftName.type(frameworkNames[schema.name] ?? schema.name))
        }
    }

    /// The names of what is generated around the models.
    private static func ownNames(_ prefix: String) -> [String] {
        [prefix] + ["API", "Credential", "Repository", "Sequence", "Webhooks"].map { prefix + $0 }
            + ["Live", "Mock"].map { "\($0)\(prefix)Repository" }
    }

    /// Whether a named schema becomes a type, instead of being written where it is used.
    private static func isModel(_ schema: Schema) -> Bool {
        switch schema.kind {
        case .object, .union: true
        case .enumeration(let enumeration): enumeration.count > 1
        default: false
        }
    }

    /// The name of a schema, without what a framework adds to it.
    func baseName(of schema: String) -> String { frameworkNames[schema] ?? schema }

    /// Takes a name at the top level that no nested type has: inside of its owner, that one would be meant.
    mutating func takeName(_ name: String) -> TypeName {
        let isTaken = ReservedNames.types.contains(name) || nestedLastNames.contains(name)
        return TypeName(names.take(isTaken ? prefix + name : name))
    }

    /// Where an inline type is, for its name.
    struct Place {
        /// The type around it; `nil` for one at the top level.
        var parent: TypeName?
        var name: String

        func element() -> Place { Place(parent: parent, name: EnglishNoun.singular(ofName: name)) }
    }

    /// The type of a schema, without `?` for null.
    mutating func type(of schema: Schema, _ variant: Variant, at place: Place) -> SwiftType {
        switch schema.kind {
        case .any: return .json
        case .boolean: return .builtin("Bool")
        case .string(let format): return Self.text(format)
        case .integer(let format): return Self.integer(format)
        case .number(let format): return .builtin(format == "decimal" ? "Decimal" : "Double")
        case .array(let element): return .array(self.element(element, variant, at: place.element()))
        case .dictionary(let value): return .dictionary(element(value, variant, at: place.element()))
        case .reference(let name): return reference(to: name, variant)
        case .enumeration(let enumeration):
            guard enumeration.count > 1 else { return enumeration.base == .string ? .string : .integer }
            return .open(plan(schema, variant, at: place))
        case .object(let object):
            if object.properties.isEmpty {
                return .dictionary(object.additional.map { element($0, variant, at: place.element()) } ?? .json)
            }
            return .model(plan(schema, variant, at: place))
        case .union(let union):
            let types = distinctTypes(of: union, variant, at: place)
            return types.count == 1 ? types[0] : .model(plan(schema, variant, at: place))
        }
    }

    /// The type of an element or value, which can be null.
    private mutating func element(_ schema: Schema, _ variant: Variant, at place: Place) -> SwiftType {
        // A partial update replaces what is in arrays as a whole.
        let type = type(of: schema, variant == .change ? .draft : variant, at: place)
        return isNullable(schema) ? .optional(type) : type
    }

    /// Whether values can be null, also by the schema that is referred to.
    func isNullable(_ schema: Schema) -> Bool {
        var (schema, rest) = (schema, 32)
        while true {
            if schema.isNullable { return true }
            guard case .reference(let name) = schema.kind, let target = schemas[name], rest > 0 else { return false }
            schema = target
            rest -= 1
        }
    }

    private static func text(_ format: String?) -> SwiftType {
        switch format?.lowercased() {
        case "date-time", "datetime": .builtin("Date")
        case "date", "full-date": .builtin("Day")
        case "uuid", "guid": .builtin("UUID")
        case "uri", "url", "iri": .builtin("URL")
        case "byte", "base64", "binary": .data
        default: .string
        }
    }

    private static func integer(_ format: String?) -> SwiftType {
        switch format?.lowercased() {
        case "int64", "long", "timestamp", "unix-time": .builtin("Int64")
        case "uint64": .builtin("UInt64")
        default: .integer
        }
    }

    private mutating func reference(to name: String, _ variant: Variant) -> SwiftType {
        guard let schema = schemas[name] else { return .json }
        guard Self.isModel(schema) else {
            guard openAliases.insert(name).inserted else { return .json }
            defer { openAliases.remove(name) }
            return type(of: schema, variant, at: Place(parent: nil, name: name))
        }
        let variant = effective(variant, of: name)
        let key = Key(name: name, variant: variant)
        if case .union(let union) = schema.kind, named[key].flatMap({ models[$0] }) == nil {
            let types = distinctTypes(of: union, variant, at: Place(parent: nil, name: name))
            if types.count == 1 { return types[0] }
        }
        if case .object(let object) = schema.kind, object.properties.isEmpty {
            return .dictionary(
                object.additional.map { element($0, variant, at: Place(parent: nil, name: name).element()) } ?? .json)
        }
        let isOwn = variant == .change && usage.isChangeOnly(name)
        let own = isOwn ? named[Key(name: name, variant: .whole)] : nil
        let type = named[key] ?? own ?? takeName(SwiftType.name(of: baseName(of: name), variant))
        named[key] = type
        if models[type] == nil {
            let outer = direction
            defer { direction = outer }
            direction = directions(of: name, variant)
            define(type, schema, variant)
        }
        if case .enumeration = schema.kind { return .open(type) }
        return .model(type)
    }

    /// Only schemas that differ in requests have a draft.
    private func effective(_ variant: Variant, of name: String) -> Variant {
        variant == .draft && !usage.isSplit(name) ? .whole : variant
    }

    private func directions(of name: String, _ variant: Variant) -> ModelPlan.Direction {
        if variant == .change { return .request }
        if usage.isSplit(name) { return variant == .draft ? .request : .response }
        return usage.directions[name] ?? [.request, .response]
    }

    /// Plans an inline type and returns its name.
    private mutating func plan(_ schema: Schema, _ variant: Variant, at place: Place) -> TypeName {
        let base = SwiftName.type(place.name)
        let type: TypeName
        if let parent = place.parent {
            let name = nestedNames[parent, default: Self.nestedNames(in: parent)].take(nestedName(base))
            nestedLastNames.insert(name)
            type = parent.nested(name)
        } else {
            type = takeName(base)
        }
        define(type, schema, variant)
        return type
    }

    /// Types at the top level would be hidden by a nested one with their name.
    private func nestedName(_ name: String) -> String {
        let usable = ReservedNames.nested(name)
        return usable == name && !names.isFree(name) ? name + "Value" : usable
    }

    private static func nestedNames(in parent: TypeName) -> NameTable {
        .types(parent.components + ["CodingKeys", "ID"])
    }

    private mutating func define(_ name: TypeName, _ schema: Schema, _ variant: Variant) {
        // Known before its members are planned, as they can refer to it.
        var model = model(name, schema, .alias(.json))
        models[name] = model
        switch schema.kind {
        case .object(let object): model.kind = .structure(structure(object, variant, named: name))
        case .union(let union): model.kind = .union(self.union(union, variant, named: name))
        case .enumeration(let enumeration): model.kind = .enumeration(EnumerationPlan(enumeration))
        default: break
        }
        models[name] = model
    }

    private func model(_ name: TypeName, _ schema: Schema, _ kind: ModelPlan.Kind) -> ModelPlan {
        ModelPlan(
            name: name, kind: kind, summary: schema.words(besides: name.last), isDeprecated: schema.isDeprecated,
            direction: direction, examples: schema.examples)
    }

    /// The types that are planned so far.
    var index: ModelIndex { ModelIndex(models) }

    /// Replaces a model, for changes that need all of them.
    mutating func update(_ name: TypeName, _ kind: ModelPlan.Kind) { models[name]?.kind = kind }
}

extension SwiftType {
    fileprivate static func name(of schema: String, _ variant: TypePlanner.Variant) -> String {
        let name = SwiftName.type(schema)
        switch variant {
        case .whole: return name
        case .draft: return name + "Draft"
        case .change: return name + "Change"
        }
    }
}

extension Schema.Enumeration {
    var count: Int {
        switch values {
        case .strings(let values): values.count
        case .integers(let values): values.count
        }
    }

    var base: EnumerationPlan.Base {
        if case .strings = values { .string } else { .integer }
    }
}
