import GodwitCore

/// Writes a message of OTLP as protobuf or as JSON: a field has a number for the one and a name for the other.
///
/// Fields with their default value can be left out in both forms.
protocol MessageWriter {
    init()

    /// The media type of what is written.
    static var mediaType: MediaType { get }

    /// What was written so far; at the end, the message.
    var bytes: [UInt8] { get }

    mutating func string(_ number: Int, _ name: StaticString, _ value: String)
    mutating func boolean(_ number: Int, _ name: StaticString, _ value: Bool)
    /// A value of an enumeration, or a number of up to 32 bits.
    mutating func small(_ number: Int, _ name: StaticString, _ value: UInt32)
    mutating func integer(_ number: Int, _ name: StaticString, _ value: Int64)
    /// `fixed32`.
    mutating func fixed(_ number: Int, _ name: StaticString, _ value: UInt32)
    /// `fixed64`, or `sfixed64` by its bits.
    mutating func fixed(_ number: Int, _ name: StaticString, _ value: UInt64)
    mutating func double(_ number: Int, _ name: StaticString, _ value: Double)
    /// The ID of a trace or span, in hexadecimal digits.
    mutating func identifier(_ number: Int, _ name: StaticString, _ digits: String)
    /// A list of `fixed64`.
    mutating func fixed(_ number: Int, _ name: StaticString, _ values: [UInt64])
    mutating func doubles(_ number: Int, _ name: StaticString, _ values: [Double])
    mutating func message(_ number: Int, _ name: StaticString, _ write: (inout Self) -> Void)
    mutating func messages<Element>(
        _ number: Int, _ name: StaticString, _ elements: some Sequence<Element>, _ write: (inout Self, Element) -> Void)
}
