extension ConformanceCase {
    static let structure: [ConformanceCase] = [
        .yes("structure_lonely_false", "false"),
        .yes("structure_lonely_null", "null"),
        .yes("structure_lonely_string", #""asd""#),
        .yes("structure_lonely_true", "true"),
        .yes("structure_string_empty", #""""#),
        .yes("structure_trailing_newline", "[\"a\"]\n"),
        .yes("structure_true_in_array", "[true]"),
        .yes("structure_whitespace_array", " [] "),
        .yes("structure_all_whitespace", "\t\n\r [ \t\n\r1\t\n\r ,\t\n\r 2\t\n\r ]\t\n\r "),
        .no("structure_100000_opening_arrays", String(repeating: "[", count: 100_000)),
        .no("structure_open_array_object", String(repeating: #"[{"":"#, count: 50_000)),
        .no("structure_U+2060_word_joined", "[\u{2060}]"),
        .no("structure_UTF8_BOM_no_data", bytes: [0xEF, 0xBB, 0xBF]),
        .no("structure_angle_bracket_.", "<.>"),
        .no("structure_angle_bracket_null", "[<null>]"),
        .no("structure_array_trailing_garbage", "[1]x"),
        .no("structure_array_with_extra_array_close", "[1]]"),
        .no("structure_array_with_unclosed_string", #"["asd]"#),
        .no("structure_ascii-unicode-identifier", "aå"),
        .no("structure_capitalized_True", "[True]"),
        .no("structure_close_unopened_array", "1]"),
        .no("structure_comma_instead_of_closing_brace", #"{"x": true,"#),
        .no("structure_double_array", "[][]"),
        .no("structure_end_array", "]"),
        .no("structure_incomplete_UTF8_BOM", bytes: [0xEF, 0xBB, 0x7B, 0x7D]),
        .no("structure_lone-invalid-utf-8", bytes: [0xE5]),
        .no("structure_lone-open-bracket", "["),
        .no("structure_no_data", ""),
        .no("structure_null-byte-outside-string", bytes: [0x5B, 0x00, 0x5D]),
        .no("structure_number_with_trailing_garbage", "2@"),
        .no("structure_object_followed_by_closing_object", "{}}"),
        .no("structure_object_unclosed_no_value", #"{"":"#),
        .no("structure_object_with_comment", #"{"a":/*comment*/"b"}"#),
        .no("structure_object_with_trailing_garbage", #"{"a": true} "x""#),
        .no("structure_open_array_apostrophe", "['"),
        .no("structure_open_array_comma", "[,"),
        .no("structure_open_array_open_object", "[{"),
        .no("structure_open_array_open_string", "[\"a"),
        .no("structure_open_array_string", #"["a""#),
        .no("structure_open_object", "{"),
        .no("structure_open_object_close_array", "{]"),
        .no("structure_open_object_comma", "{,"),
        .no("structure_open_object_open_array", "{["),
        .no("structure_open_object_open_string", #"{"a"#),
        .no("structure_open_object_string_with_apostrophes", "{'a'"),
        .no("structure_open_open", #"["\{["\{["\{["\{"#),
        .no("structure_single_eacute", bytes: [0xE9]),
        .no("structure_single_star", "*"),
        .no("structure_trailing_#", ##"{"a":"b"}#{}"##),
        .no("structure_two_values", "1 2"),
        .no("structure_two_strings", #""a" "b""#),
        .no("structure_uescaped_LF_before_string", #"[\u000A""]"#),
        .no("structure_unclosed_array", "[1"),
        .no("structure_unclosed_array_partial_null", "[ false, nul"),
        .no("structure_unclosed_array_unfinished_false", "[ true, fals"),
        .no("structure_unclosed_array_unfinished_true", "[ false, tru"),
        .no("structure_unclosed_object", #"{"asd":"asd""#),
        .no("structure_unicode-identifier", "å"),
        .no("structure_whitespace_U+2060_word_joiner", "\u{2060}"),
        .no("structure_whitespace_formfeed", bytes: [0x5B, 0x0C, 0x5D]),
        .no("structure_whitespace_vertical_tab", bytes: [0x5B, 0x0B, 0x5D]),
        .no("structure_whitespace_U+00A0", "[\u{A0}1]"),
        .no("structure_whitespace_U+2028", "[\u{2028}1]"),
        .no("structure_whitespace_U+3000", "[\u{3000}1]"),
        .no("structure_whitespace_BOM_inside", "[\u{FEFF}1]"),
        .no("structure_trailing_null_bytes", bytes: [0x5B, 0x5D, 0x00, 0x00, 0x00]),
        .no("structure_trailing_control_Z", bytes: [0x5B, 0x5D, 0x1A]),
        .no("structure_line_comment", "// comment\n1"),
        .no("structure_hash_comment", "# comment\n1"),
        .no("structure_undefined", "undefined"),
        .no("structure_literal_then_digit", "null1"),
        .ours("structure_512_nested_arrays", nested(512), accepted: true),
        .ours("structure_513_nested_arrays", nested(513), accepted: false),
        .ours("structure_500_nested_arrays", nested(500), accepted: true),
        .ours("structure_512_nested_containers", mixed(256), accepted: true),
        .ours("structure_514_nested_containers", mixed(257), accepted: false),
    ]

    /// UTF-8 is what RFC 8259 requires between systems. The other encodings are read as Foundation reads them.
    static let encodings: [ConformanceCase] = [
        .ours("structure_UTF-8_BOM_empty_object", bytes: [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], accepted: true),
        .ours("structure_UTF-8_BOM_twice", bytes: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x7B, 0x7D], accepted: false),
        .ours("string_UTF-16LE_with_BOM", bytes: [0xFF, 0xFE] + utf16(#"["é😀"]"#, bigEndian: false), accepted: true),
        .ours("string_UTF-16BE_with_BOM", bytes: [0xFE, 0xFF] + utf16(#"["é😀"]"#, bigEndian: true), accepted: true),
        .ours("string_utf16LE_no_BOM", bytes: utf16(#"["é😀"]"#, bigEndian: false), accepted: true),
        .ours("string_utf16BE_no_BOM", bytes: utf16(#"["é😀"]"#, bigEndian: true), accepted: true),
        .ours(
            "string_UTF-32BE_with_BOM", bytes: [0, 0, 0xFE, 0xFF] + utf32(#"["é😀"]"#, bigEndian: true), accepted: true),
        .ours(
            "string_UTF-32LE_with_BOM", bytes: [0xFF, 0xFE, 0, 0] + utf32(#"["é😀"]"#, bigEndian: false), accepted: true),
        .ours("string_utf32LE_no_BOM", bytes: utf32(#"["é😀"]"#, bigEndian: false), accepted: true),
        .ours("string_utf32BE_no_BOM", bytes: utf32(#"["é😀"]"#, bigEndian: true), accepted: true),
        .ours("structure_lonely_digit_utf16LE", bytes: [0x31, 0x00], accepted: true),
        .ours("structure_lonely_digit_utf16BE", bytes: [0x00, 0x31], accepted: true),
        .ours("structure_lonely_digit_utf32LE", bytes: [0x31, 0x00, 0x00, 0x00], accepted: true),
        .ours("structure_lonely_digit_utf32BE", bytes: [0x00, 0x00, 0x00, 0x31], accepted: true),
        .ours("structure_UTF-16_BOM_no_data", bytes: [0xFE, 0xFF], accepted: false),
        .ours(
            "string_utf16LE_lone_surrogate",
            bytes: utf16("[\"", bigEndian: false) + [0x00, 0xD8] + utf16("\"]", bigEndian: false), accepted: false),
        .ours(
            "string_utf32BE_surrogate",
            bytes: utf32("[\"", bigEndian: true) + [0, 0, 0xD8, 0] + utf32("\"]", bigEndian: true), accepted: false),
        .ours(
            "string_utf32BE_over_10FFFF",
            bytes: utf32("[\"", bigEndian: true) + [0, 0x11, 0, 0] + utf32("\"]", bigEndian: true), accepted: false),
    ]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static func mixed(_ depth: Int) -> String {
        String(repeating: #"[{"a":"#, count: depth) + "1" + String(repeating: "}]", count: depth)
    }
}

/// A text in UTF-16, without a byte order mark.
func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
        let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
        return bigEndian ? bytes : bytes.reversed()
    }
}

/// A text in UTF-32, without a byte order mark.
func utf32(_ text: String, bigEndian: Bool) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
        return bigEndian ? bytes : bytes.reversed()
    }
}
