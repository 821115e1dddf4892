public struct SecureField<Label: View>: PrimitiveView {}

extension SecureField where Label == Text {
    nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
}
