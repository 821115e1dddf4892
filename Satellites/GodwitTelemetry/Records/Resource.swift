import GodwitCore
import GodwitSupport

/// The program that exports, and the library that observed it.
struct Resource: Sendable {
    let attributes: [Attribute]

    /// - Parameter others: The user's. Without `service.instance.id`, it is a new UUID: a backend would otherwise take the
    ///   sums of several processes for those of one.
    init(service: String, _ others: [String: String]) {
        var all = others
        all["service.name"] = service
        all["service.instance.id"] = others["service.instance.id"] ?? UUID().uuidString.lowercased()
        all["telemetry.sdk.name"] = "godwit"
        all["telemetry.sdk.language"] = "swift"
        all["telemetry.sdk.version"] = Self.version
        attributes = all.sorted { $0.key < $1.key }.map { Attribute($0.key, $0.value) }
    }

    static let version = LibraryVersion.current

    /// The version of OpenTelemetry's semantic conventions whose names are used.
    static let schemaURL = "https://opentelemetry.io/schemas/1.37.0"

    /// The fields of `ResourceSpans` or `ResourceMetrics` around the records of the one scope.
    func write<Writer: MessageWriter>(
        to writer: inout Writer, scopes: StaticString, _ records: (inout Writer) -> Void
    ) {
        writer.message(1, "resource") { $0.attributes(1, attributes) }
        writer.message(list: 2, scopes) { writer in
            writer.message(1, "scope") { writer in
                writer.string(1, "name", "Godwit")
                writer.string(2, "version", Self.version)
            }
            records(&writer)
            writer.string(3, "schemaUrl", Self.schemaURL)
        }
        writer.string(3, "schemaUrl", Self.schemaURL)
    }
}

extension MessageWriter {
    /// A list of one message.
    mutating func message(list number: Int, _ name: StaticString, _ write: (inout Self) -> Void) {
        messages(number, name, CollectionOfOne(())) { writer, _ in write(&writer) }
    }
}
