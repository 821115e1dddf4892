import CYAML

/// What libyaml finds, one event after the other.
///
/// Owns the parser's memory; the bytes have to stay where they are.
struct YAMLParser: ~Copyable {
    struct Scalar {
        var text: String
        var isPlain: Bool
        var tag: String?
        var anchor: String?
    }

    enum Event {
        case documentStart
        case streamEnd
        case alias(String)
        case scalar(Scalar)
        case sequenceStart(anchor: String?)
        case mappingStart(anchor: String?)
        /// The end of a sequence or mapping.
        case end
        /// The start of the stream and the end of a document.
        case other
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let file: String
    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>, file: String) throws(GenerationError) {
        self.file = file
        self.bytes = bytes
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw GenerationError(.file, "there is not enough memory to read the file", at: SourcePlace(file: file))
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The next event with the place where it starts.
    func next() throws(GenerationError) -> (Event, SourcePlace.Position) {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        defer { yaml_event_delete(&event) }
        return (Self.event(event), Self.position(event.start_mark))
    }

    private static func event(_ event: yaml_event_t) -> Event {
        let data = event.data
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return .streamEnd
        case YAML_ALIAS_EVENT: return .alias(text(data.alias.anchor) ?? "")
        case YAML_SEQUENCE_START_EVENT: return .sequenceStart(anchor: text(data.sequence_start.anchor))
        case YAML_MAPPING_START_EVENT: return .mappingStart(anchor: text(data.mapping_start.anchor))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
        case YAML_SCALAR_EVENT: return .scalar(scalar(data.scalar))
        default: return .other
        }
    }

    private static func scalar(_ scalar: yaml_event_s.__Unnamed_union_data.__Unnamed_struct_scalar) -> Scalar {
        Scalar(
            text: String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self),
            isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, tag: text(scalar.tag), anchor: text(scalar.anchor))
    }

    private static func text(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        text.map { String(cString: $0) }
    }

    private static func position(_ mark: yaml_mark_t) -> SourcePlace.Position {
        SourcePlace.Position(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private func failure() -> GenerationError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "unknown problem"
        let context = parser.pointee.context.map { ", " + String(cString: $0) } ?? ""
        var position = Self.position(parser.pointee.problem_mark)
        if parser.pointee.error == YAML_READER_ERROR {
            var cursor = TextCursor(Array(bytes))
            position = cursor.position(at: Int(parser.pointee.problem_offset))
        }
        return GenerationError(
            .invalid, "not valid YAML: \(problem)\(context)", at: SourcePlace(file: file, position: position))
    }
}
