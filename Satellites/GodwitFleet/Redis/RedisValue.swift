#if os(Linux)
import CHiredis
import GodwitCore

/// A reply of Redis (RESP 2).
enum RedisValue: Sendable, Hashable {
    case text(String)
    case failure(String)
    case integer(Int64)
    case bytes([UInt8])
    case array([RedisValue])
    case null

    var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .bytes(let bytes): Int64(String(decoding: bytes, as: UTF8.self))
        default: nil
        }
    }

    var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .text(let text): Array(text.utf8)
        default: nil
        }
    }

    var string: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    var array: [RedisValue]? { if case .array(let values) = self { values } else { nil } }
}

/// One argument of a command.
struct RedisArgument: Sendable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(_ text: String) { bytes = Array(text.utf8) }
    init(_ number: some BinaryInteger) { self.init(String(number)) }
    init(stringLiteral text: String) { self.init(text) }

    /// The bytes of a command on the wire.
    static func encode(_ command: [RedisArgument], into output: inout [UInt8]) {
        output.append(contentsOf: "*\(command.count)\r\n".utf8)
        for argument in command {
            output.append(contentsOf: "$\(argument.bytes.count)\r\n".utf8)
            output.append(contentsOf: argument.bytes)
            output.append(contentsOf: "\r\n".utf8)
        }
    }
}

/// Parses replies with hiredis. Used by one thread.
struct RedisParser: ~Copyable {
    private let reader: UnsafeMutablePointer<redisReader>
    private let functions: UnsafeMutablePointer<redisReplyObjectFunctions>
    /// Bytes since the last complete reply.
    private var unfinished = 0
    private let limit: Int

    /// `nil` if no memory is left.
    ///
    /// - Parameter limit: The maximum size of a reply in bytes, as received.
    init?(limit: Int) {
        guard let reader = redisReaderCreate() else { return nil }
        guard let functions = godwit_redis_limit(reader) else {
            redisReaderFree(reader)
            return nil
        }
        self.reader = reader
        self.functions = functions
        self.limit = limit
    }

    deinit {
        redisReaderFree(reader)
        free(functions)
    }

    /// Adds received bytes.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(RedisFailure) {
        unfinished += bytes.count
        guard unfinished <= limit else { throw RedisFailure(.unreachable, "a reply exceeds \(limit) bytes") }
        let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
        guard redisReaderFeed(reader, start, bytes.count) == REDIS_OK else { throw invalid }
    }

    /// The next complete reply; `nil` if more bytes are needed.
    mutating func next() throws(RedisFailure) -> RedisValue? {
        var reply: UnsafeMutableRawPointer?
        guard redisReaderGetReply(reader, &reply) == REDIS_OK else { throw invalid }
        guard let reply else { return nil }
        defer { freeReplyObject(reply) }
        // What is left is part of the next reply; counting it from here is enough for the limit.
        unfinished = 0
        return RedisValue(reply.assumingMemoryBound(to: redisReply.self).pointee)
    }

    private var invalid: RedisFailure { RedisFailure(.unreachable, "the server's bytes aren't a reply of Redis") }
}

extension RedisValue {
    fileprivate init(_ reply: redisReply) {
        switch reply.type {
        case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
        case REDIS_REPLY_STRING: self = .bytes(Self.bytes(reply))
        case REDIS_REPLY_STATUS: self = .text(String(decoding: Self.bytes(reply), as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .failure(String(decoding: Self.bytes(reply), as: UTF8.self))
        case REDIS_REPLY_ARRAY:
            self = .array((0..<Int(reply.elements)).map { reply.element[$0].map { RedisValue($0.pointee) } ?? .null })
        default: self = .null
        }
    }

    private static func bytes(_ reply: redisReply) -> [UInt8] {
        guard let start = reply.str else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(reply.len)))
    }
}
#endif
