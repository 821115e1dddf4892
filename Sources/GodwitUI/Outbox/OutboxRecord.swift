import GodwitCore

/// What a file of an outbox contains.
struct OutboxRecord: Codable, Sendable {
    /// The maximum size of a mutation in bytes.
    static let sizeLimit = 1 << 20

    /// The mutation's type.
    let name: String
    let scope: String
    let date: Date
    /// The mutation as JSON.
    let mutation: Data
    /// The value of the `Idempotency-Key` field.
    var key: String
    /// The version of the subject that the mutation expects, for `If-Match`; `nil` if it has no subject.
    var etag: String?
    /// The status of the response that refused it.
    var refusal: Int?

    private enum CodingKeys: String, CodingKey {
        // Files of earlier versions have this name.
        case scope = "order"
        case name, date, mutation, key, etag, refusal
    }

    init(_ mutation: some OutboxMutation, at date: Date, etag: String?) throws(NetworkError) {
        let data: Data
        do { data = try JSONEncoder().encode(mutation) } catch {
            throw NetworkError(.encoding(reason: "\(error)"), phase: .building, underlying: error)
        }
        guard data.count <= Self.sizeLimit else {
            throw NetworkError(.tooLarge(limit: Int64(Self.sizeLimit)), phase: .building)
        }
        self.mutation = data
        self.date = date
        self.etag = etag
        name = type(of: mutation).name
        scope = mutation.scope
        key = Self.newKey()
    }

    /// A server may answer a repetition of a refused request with its first response, so each decision needs a new key.
    static func newKey() -> String { UUID().uuidString.lowercased() }

    /// The maximum size of all mutations of an outbox in bytes.
    static let totalLimit = 64 << 20

    /// Stands for a version that must be loaded before the mutation is sent.
    static let unknownVersion = ""

    /// The condition of a version: itself, or `*` (the value must exist) without a tag that `If-Match` can compare. A weak
    /// tag never matches (RFC 9110 section 13.1.1).
    static func condition(_ etag: String?) -> String {
        if let etag, !etag.hasPrefix("W/") { etag } else { "*" }
    }

    /// The record of a mutation that is sent again after a decision.
    func accepted(_ etag: String?) -> OutboxRecord {
        var record = self
        if refusal != nil { record.key = Self.newKey() }
        record.refusal = nil
        record.etag = etag
        return record
    }

    /// The mutation, as one of these types. Throws `.file` if there is none, or it can't be decoded.
    func decoded(_ types: [String: any OutboxMutation.Type]) throws(NetworkError) -> any OutboxMutation {
        guard let type = types[name] else {
            throw PrivateFile.error("a mutation in the outbox is of the unknown type \(name)")
        }
        do { return try JSONDecoder().decode(type, from: mutation) } catch {
            throw PrivateFile.error("a mutation of the type \(name) in the outbox can't be decoded")
        }
    }
}

/// Names a file of an outbox: a number, which gives the order, and a random part.
struct OutboxFileName: Hashable, Sendable, Comparable {
    let number: Int
    let id: String

    var text: String { "\(number)-\(id).json" }

    init(_ number: Int) {
        self.number = number
        id = UUID().uuidString.lowercased()
    }

    /// `nil` if no outbox has given this name.
    init?(_ text: String) {
        guard let dash = text.firstIndex(of: "-"), let number = Int(text[..<dash]), (0..<(.max / 2)).contains(number),
            text.hasSuffix(".json"),
            let id = UUID(uuidString: String(text[text.index(after: dash)...].dropLast(5)))
        else { return nil }
        self.number = number
        self.id = id.uuidString.lowercased()
        guard self.text == text else { return nil }
    }

    static func < (left: Self, right: Self) -> Bool { (left.number, left.id) < (right.number, right.id) }
}
