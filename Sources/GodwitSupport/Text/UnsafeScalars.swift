extension Unicode.Scalar {
    /// Whether a terminal would act on the character, or hide text with it.
    public var isUnsafeInTerminals: Bool {
        switch value {
        case 0x20..<0x7F: return false
        case 0..<0x20, 0x7F..<0xA0: return true
        // Scripts and emoji need joiners and the choice between text and picture: they hide nothing but themselves.
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F: return false
        default:
            if properties.isDefaultIgnorableCodePoint { return true }
            return switch properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }
}
