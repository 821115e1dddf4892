/// What in a caller's code doesn't compile any more after a generation, in the words of that code.
struct BreakingChanges {
    private struct Change: Hashable {
        let owner: String
        let name: String
        let words: String
    }

    private typealias Declaration = CallerDeclarations.Declaration

    /// The declarations of one generation.
    private struct Index {
        let all: [Declaration]
        let byPath: [String: [Declaration]]
        let byOwner: [String: [Declaration]]

        init(_ texts: [String]) {
            all = CallerDeclarations(texts).all
            byPath = Dictionary(grouping: all, by: \.path)
            byOwner = Dictionary(grouping: all, by: \.owner)
        }

        func hasType(_ path: String) -> Bool { byPath[path]?.contains(where: \.isType) ?? false }

        func members(of type: Declaration) -> Set<String> { Set((byOwner[type.path] ?? []).map(\.name)) }
    }

    private let old: Index
    private let new: Index
    private var changes: [Change] = []

    /// - Parameters:
    ///   - old: The texts of the files that were generated before.
    ///   - new: The texts of the same files now.
    init(from old: [String], to new: [String]) {
        self.old = Index(old)
        self.new = Index(new)
        find()
    }

    /// A sentence for each change, without a full stop. The same change of several types is one sentence.
    var sentences: [String] {
        var owners: [Change: [String]] = [:]
        var order: [Change] = []
        for change in changes {
            let common = Change(owner: "", name: change.name, words: change.words)
            if owners[common] == nil { order.append(common) }
            if owners[common]?.contains(change.owner) != true { owners[common, default: []].append(change.owner) }
        }
        return order.map { change in
            let owners = owners[change] ?? []
            guard owners.count == 1, let owner = owners.first else {
                return "`\(change.name)` \(change.words) (\(owners.joined(separator: ", ")))"
            }
            return "`\(owner.isEmpty ? change.name : "\(owner).\(change.name)")` \(change.words)"
        }
    }

    private mutating func find() {
        var reported: Set<String> = []
        for declaration in old.all {
            if isInGoneType(declaration) { continue }
            let now = new.byPath[declaration.path] ?? []
            switch declaration.kind {
            case .type:
                if !now.contains(where: \.isType) { note(declaration, "is gone\(successor(of: declaration))") }
            case .enumCase:
                if !now.contains(where: { $0.kind == .enumCase }) { note(declaration, "is gone") }
            case .value(let type): compare(declaration, type, now)
            case .function:
                // All of one name are compared at once.
                if reported.insert(declaration.path).inserted { compareFunctions(declaration) }
            }
        }
        for declaration in new.all where old.byPath[declaration.path] == nil { noteIfDemanding(declaration) }
    }

    private mutating func note(_ declaration: Declaration, _ words: String) {
        changes.append(Change(owner: declaration.owner, name: declaration.name, words: words))
    }

    /// Whether a type around it is gone, which is said once.
    private func isInGoneType(_ declaration: Declaration) -> Bool {
        var path = ""
        for part in declaration.owner.split(separator: ".") {
            path += path.isEmpty ? part : ".\(part)"
            if old.hasType(path), !new.hasType(path) { return true }
        }
        return false
    }

    private mutating func compare(_ declaration: Declaration, _ type: String, _ now: [Declaration]) {
        for case .value(let newType) in now.map(\.kind) {
            if newType != type { note(declaration, "was `\(type)` and is `\(newType)`") }
            return
        }
        for case .function(let parameters, _) in now.map(\.kind) {
            return note(
                declaration, "is a function now: `\(declaration.name)(\(parameters.map { "\($0.label):" }.joined()))`")
        }
        note(declaration, "is gone\(successor(of: declaration))")
    }

    // MARK: Functions

    private mutating func compareFunctions(_ declaration: Declaration) {
        let path = declaration.path
        var candidates = new.byPath[path]?.filter(\.isFunction) ?? []
        for function in old.byPath[path] ?? [] {
            guard case .function(let parameters, let result) = function.kind else { continue }
            if let same = candidates.firstIndex(where: { $0.kind == function.kind }) {
                candidates.remove(at: same)
                continue
            }
            let labels = Set(parameters.map(\.label))
            let index = candidates.indices.max { candidates[$0].common(labels) < candidates[$1].common(labels) }
            guard let index, case .function(let newParameters, let newResult) = candidates[index].kind else {
                note(function, absence(of: function, parameters))
                continue
            }
            candidates.remove(at: index)
            compare(function, parameters, newParameters)
            if result != newResult { note(function, "returns `\(newResult)`, and returned `\(result)`") }
        }
    }

    /// A function that has no counterpart: only one of its forms may be gone.
    private func absence(of function: Declaration, _ parameters: [CallerDeclarations.Parameter]) -> String {
        let now = new.byPath[function.path] ?? []
        if now.contains(where: \.isValue) { return "is a property now" }
        guard now.contains(where: \.isFunction) else { return "is gone\(successor(of: function))" }
        return "can't be called as `\(function.name)(\(parameters.map { "\($0.label):" }.joined()))` any more"
    }

    private mutating func compare(
        _ function: Declaration, _ old: [CallerDeclarations.Parameter], _ new: [CallerDeclarations.Parameter]
    ) {
        // Parameters without a label are compared by their place.
        let names = { (parameters: [CallerDeclarations.Parameter]) in
            parameters.enumerated().map { $1.label == "_" ? "argument \($0 + 1)" : "\($1.label):" }
        }
        let (oldNames, newNames) = (names(old), names(new))
        for (name, parameter) in zip(newNames, new) where !oldNames.contains(name) && !parameter.hasDefault {
            note(function, "needs `\(name)`, of type `\(parameter.type)`")
        }
        for (name, parameter) in zip(oldNames, old) {
            guard let index = newNames.firstIndex(of: name) else {
                note(function, "has no `\(name)` any more")
                continue
            }
            if new[index].type != parameter.type, new[index].type != "\(parameter.type)?" {
                note(function, "takes `\(new[index].type)` for `\(name)`, and took `\(parameter.type)`")
            } else if parameter.hasDefault, !new[index].hasDefault {
                note(function, "needs `\(name)`, which could be left out")
            }
        }
        let (kept, still) = (oldNames.filter(newNames.contains), newNames.filter(oldNames.contains))
        if kept != still { note(function, "has its arguments in another order") }
    }

    // MARK: What is new

    /// A new case of an enum, and a new requirement of a protocol.
    private mutating func noteIfDemanding(_ declaration: Declaration) {
        guard let owner = old.byPath[declaration.owner]?.first(where: \.isType) else { return }
        switch (declaration.kind, owner.kind) {
        case (.enumCase, _): note(declaration, "is new: a `switch` without a default case doesn't compile")
        case (.function, .type(isProtocol: true)), (.value, .type(isProtocol: true)):
            note(declaration, "is new: a type of yours that conforms to the protocol needs it")
        default: break
        }
    }

    /// What may be the same under another name: the one new declaration of the same owner and form.
    private func successor(of gone: Declaration) -> String {
        let candidates = (new.byOwner[gone.owner] ?? []).filter {
            old.byPath[$0.path] == nil && $0.kind == gone.kind
                && (!gone.isType || new.members(of: $0) == old.members(of: gone))
        }
        guard candidates.count == 1 else { return "" }
        return "; `\(candidates[0].name)` is new, and of the same form"
    }
}

extension CallerDeclarations.Declaration {
    fileprivate var isType: Bool { if case .type = kind { true } else { false } }

    fileprivate var isFunction: Bool { if case .function = kind { true } else { false } }

    fileprivate var isValue: Bool { if case .value = kind { true } else { false } }

    /// How many labels it has of some.
    fileprivate func common(_ labels: Set<String>) -> Int {
        guard case .function(let parameters, _) = kind else { return 0 }
        return labels.intersection(parameters.map(\.label)).count
    }
}
