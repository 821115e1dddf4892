import GodwitCore

/// What a collector answers to an export: how many records it refused although it accepted the request.
struct ExportResponse: Equatable {
    var rejected = 0
    var message = ""

    /// Reads a collector's response. A body that can't be read, or is of another type, rejects nothing.
    init(_ data: Data, _ type: MediaType?) {
        switch type {
        case .some(let type) where type.isJSON: self = Self(json: data) ?? Self()
        case let type where type?.matches(ProtobufWriter.mediaType) ?? true: self = Self(protobuf: data) ?? Self()
        default: self.init()
        }
    }

    private init() {}

    private init?(json data: Data) {
        guard let response = try? JSONModelDecoder().decode(JSONResponse.self, from: data) else { return nil }
        let success = response.partialSuccess
        rejected = Int(clamping: success?.rejectedSpans?.value ?? success?.rejectedDataPoints?.value ?? 0)
        message = success?.errorMessage ?? ""
    }

    private init?(protobuf data: Data) {
        var response = ProtobufReader(data)
        while let field = response.next() {
            guard field.number == 1, case .bytes(let content) = field.value else { continue }
            var success = ProtobufReader(content)
            while let field = success.next() {
                switch (field.number, field.value) {
                case (1, .number(let count)): rejected = Int(clamping: Int64(bitPattern: count))
                case (2, .bytes(let text)): message = String(decoding: text, as: UTF8.self)
                default: break
                }
            }
        }
    }
}

private struct JSONResponse: Decodable {
    struct PartialSuccess: Decodable {
        var rejectedSpans: Count?
        var rejectedDataPoints: Count?
        var errorMessage: String?
    }

    /// OTLP writes integers of 64 bits as strings; some collectors write numbers.
    struct Count: Decodable {
        let value: Int64

        init(from decoder: any Decoder) throws {
            value = try NumberOrString<Int64>(from: decoder).wrappedValue
        }
    }

    var partialSuccess: PartialSuccess?
}

/// Reads the fields of a message in the encoding of Protocol Buffers. Stops at the first that is damaged.
struct ProtobufReader {
    enum Value: Equatable {
        case number(UInt64)
        case bytes(Data)
    }

    private var rest: Data

    init(_ data: Data) {
        rest = data
    }

    mutating func next() -> (number: UInt64, value: Value)? {
        guard let tag = varint() else { return nil }
        switch tag & 7 {
        case 0: return varint().map { (tag >> 3, .number($0)) }
        case 1: return take(8).map { (tag >> 3, .number(Self.number($0))) }
        case 2: return varint().flatMap { take($0) }.map { (tag >> 3, .bytes($0)) }
        case 5: return take(4).map { (tag >> 3, .number(Self.number($0))) }
        default: return nil
        }
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    private mutating func take(_ count: UInt64) -> Data? {
        guard let count = Int(exactly: count), count <= rest.count else { return nil }
        defer { rest.removeFirst(count) }
        return rest.prefix(count)
    }

    private static func number(_ bytes: Data) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
