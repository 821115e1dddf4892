import GodwitCore

/// Writes a message of OTLP as protobuf or as JSON: a field has a number for the one and a name for the other.
///
/// Fields with their default value can be left out in both forms. The functions have the names of protobuf's types.
protocol MessageWriter {
    init()

    /// The media type of what is written.
    static var mediaType: MediaType { get }

    /// What was written so far; at the end, the message.
    var bytes: [UInt8] { get }

    mutating func string(_ number: Int, _ name: StaticString, _ value: String)
    mutating func bool(_ number: Int, _ name: StaticString, _ value: Bool)
    mutating func enumeration(_ number: Int, _ name: StaticString, _ value: UInt32)
    mutating func int64(_ number: Int, _ name: StaticString, _ value: Int64)
    mutating func fixed32(_ number: Int, _ name: StaticString, _ value: UInt32)
    mutating func fixed64(_ number: Int, _ name: StaticString, _ value: UInt64)
    mutating func sfixed64(_ number: Int, _ name: StaticString, _ value: Int64)
    mutating func double(_ number: Int, _ name: StaticString, _ value: Double)
    /// `bytes`: the ID of a trace or span, its most significant word first.
    mutating func bytes(_ number: Int, _ name: StaticString, words: [UInt64])
    /// `repeated fixed64`.
    mutating func fixed64(_ number: Int, _ name: StaticString, _ values: [UInt64])
    /// `repeated double`.
    mutating func double(_ number: Int, _ name: StaticString, _ values: [Double])
    mutating func message(_ number: Int, _ name: StaticString, _ write: (inout Self) -> Void)
    mutating func messages<Element>(
        _ number: Int, _ name: StaticString, _ elements: some Sequence<Element>, _ write: (inout Self, Element) -> Void)
}

/// A request of OTLP, which each writer can write.
protocol ExportMessage: Sendable {
    associatedtype Records: Sendable

    static var signal: TelemetryOptions.Signal { get }

    func write<Writer: MessageWriter>(_ records: Records, as format: Writer.Type) -> Data
}
