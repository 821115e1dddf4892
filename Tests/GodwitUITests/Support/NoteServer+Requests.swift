import GodwitCore

extension Endpoint {
    /// All notes, the newest first, by cursor.
    static func newest(after cursor: String?) -> Endpoint<NotePage> {
        .get("notes", query: ["order": "newest", "after": cursor])
    }

    /// The same by offset.
    static func newest(offset: Int) -> Endpoint<NotePage> {
        .get("notes", query: ["order": "newest", "offset": String(offset)])
    }

    /// The marks of all notes, as a note.
    static var summary: Endpoint<Note> { .get("summary") }

    /// Creates a note with a mark.
    static func create(_ mark: Int) -> Endpoint<Note> { .post("notes", body: .json(["mark": mark])) }

    /// Marks a note, and creates it if necessary.
    static func put(_ id: Int, _ mark: Int) -> Endpoint<Note> { .put("notes/\(id)", body: .json(["mark": mark])) }

    /// Removes a note. The mark is that of the request only.
    static func remove(_ id: Int, _ mark: Int) -> Endpoint<Void> {
        .delete("notes/\(id)", query: ["mark": String(mark)])
    }
}

// What the server does with a request.
extension NoteServer {
    static func answer(to request: HTTPRequest, _ body: Data, _ state: inout State) -> Answer {
        let key = state.memory.honorsKeys ? request.fields[.idempotencyKey] : nil
        if let key, let known = state.memory.results[key] { return known }
        let answer = result(of: request, body, &state)
        guard request.method != .get, case .response(let status, _, _) = answer, status.isSuccessful else {
            return answer
        }
        if let mark = mark(of: request, body) { state.memory.executions[mark, default: 0] += 1 }
        if let key { state.memory.results[key] = answer }
        return answer
    }

    private static func result(of request: HTTPRequest, _ body: Data, _ state: inout State) -> Answer {
        if request.method != .get, let refusal = state.refusal { return .response(refusal, [:], Data()) }
        let path = request.url.path.split(separator: "/")
        if path.first == "summary" { return summary(state) }
        if let id = path.dropFirst().first.flatMap({ Int($0) }) { return result(of: request, body, id, &state) }
        return request.method == .post ? create(mark(of: request, body) ?? 0, &state) : page(request, state)
    }

    private static func result(of request: HTTPRequest, _ body: Data, _ id: Int, _ state: inout State) -> Answer {
        if request.method == .put, state.notes[id] == nil {
            state.notes[id] = Note(id: id, owner: state.owner, version: state.memory.versions[id] ?? 0)
        }
        guard var note = state.notes[id] else { return .response(.notFound, [:], Data()) }
        if let tag = request.fields[.ifMatch], tag != "*", tag != "\"\(note.version)\"" {
            return .response(.preconditionFailed, [:], Data())
        }
        switch request.method {
        case .delete:
            state.remove(id)
            return .response(.noContent, [:], Data())
        case .patch, .put:
            note.marks.insert(mark(of: request, body) ?? 0)
            note.version += 1
            state.notes[id] = note
        default: break
        }
        return json(note, ["etag": "\"\(note.version)\""])
    }

    private static func create(_ mark: Int, _ state: inout State) -> Answer {
        let note = state.add(mark)
        state.memory.creations[mark] = note.id
        return json(note, [:])
    }

    private static func summary(_ state: State) -> Answer {
        let marks = state.notes.values.reduce(into: Set<Int>()) { $0.formUnion($1.marks) }
        return json(Note(id: 0, owner: state.owner, marks: marks), [:])
    }

    private static func page(_ request: HTTPRequest, _ state: State) -> Answer {
        let query = number(in: request)
        let isNewestFirst = request.url.query?.contains("order=newest") == true
        var rest = state.notes.values.sorted { isNewestFirst ? $0.id > $1.id : $0.id < $1.id }
        if let offset = query["offset"] { rest = Array(rest.dropFirst(offset)) }
        if let after = query["after"] { rest = rest.filter { isNewestFirst ? $0.id < after : $0.id > after } }
        let items = Array(rest.prefix(pageSize))
        let next = rest.count > pageSize ? items.last.map { String($0.id) } : nil
        return json(NotePage(items: items, nextCursor: next), [:])
    }

    /// The mark in a body, or in a query.
    static func mark(of request: HTTPRequest, _ body: Data) -> Int? {
        (try? JSONModelDecoder().decode([String: Int].self, from: body))?["mark"] ?? number(in: request)["mark"]
    }

    /// The numbers in a query.
    private static func number(in request: HTTPRequest) -> [Substring: Int] {
        let pairs = (request.url.query ?? "").split(separator: "&").map { $0.split(separator: "=") }
        return pairs.reduce(into: [:]) { numbers, pair in
            if pair.count == 2, let number = Int(pair[1]) { numbers[pair[0]] = number }
        }
    }

    private static func json(_ value: some Encodable, _ fields: HTTPFields) -> Answer {
        var fields = fields
        fields[.contentType] = "application/json"
        return .response(.ok, fields, (try? JSONModelEncoder().encode(value)) ?? Data())
    }
}

extension NoteServer.State {
    /// Adds the newest note.
    mutating func add(_ mark: Int) -> Note {
        memory.lastID = max(memory.lastID, notes.keys.max() ?? 0) + 1
        let note = Note(id: memory.lastID, owner: owner, marks: [mark])
        notes[note.id] = note
        return note
    }

    mutating func remove(_ id: Int) {
        memory.lastID = max(memory.lastID, id)
        memory.versions[id] = notes[id]?.version
        notes[id] = nil
    }
}
