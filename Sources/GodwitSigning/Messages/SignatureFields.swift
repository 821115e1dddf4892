import GodwitCore

/// One signature of a message, from its fields `Signature-Input` and `Signature` (RFC 9421 section 4).
package struct SignatureFields: Sendable, Hashable {
    package let label: String
    package let parameters: SignatureParameters
    package let bytes: [UInt8]

    /// Reads the signatures of a message, in order.
    ///
    /// Throws if a field isn't valid, or a label is in one of them only.
    package static func all(in fields: HTTPFields) throws(SignatureFault) -> [SignatureFields] {
        guard let inputs = StructuredParser.dictionary(fields[.signatureInput] ?? ""),
            let signatures = StructuredParser.dictionary(fields[.signature] ?? "")
        else { throw SignatureFault("Signature-Input or Signature isn't a dictionary") }
        guard Set(inputs.keys) == Set(signatures.keys) else {
            throw SignatureFault("Signature-Input and Signature have different labels")
        }
        var found: [SignatureFields] = []
        for input in inputs.entries {
            guard case .innerList(let list) = input.value, case .item(let item)? = signatures[input.key],
                case .bytes(let bytes) = item.value
            else { throw SignatureFault("the signature \(input.key) is malformed") }
            found.append(SignatureFields(label: input.key, parameters: SignatureParameters(list), bytes: bytes))
        }
        return found
    }

    package init(label: String, parameters: SignatureParameters, bytes: [UInt8]) {
        self.label = label
        self.parameters = parameters
        self.bytes = bytes
    }

    /// Adds the signature to a message's fields. Others stay.
    package func add(to fields: inout HTTPFields) throws(SignatureFault) {
        guard StructuredParser.isKey(label), let input = parameters.list.text else {
            throw SignatureFault("\"\(label)\" isn't a label: use a-z, 0-9, _, - and .")
        }
        guard try !Self.all(in: fields).contains(where: { $0.label == label }) else {
            throw SignatureFault("the message has a signature \(label) already")
        }
        let value = StructuredBareItem.bytes(bytes).text ?? ""
        fields[.signatureInput] = [fields[.signatureInput], "\(label)=\(input)"].compactMap(\.self).joined(
            separator: ", ")
        fields[.signature] = [fields[.signature], "\(label)=\(value)"].compactMap(\.self).joined(separator: ", ")
    }
}
