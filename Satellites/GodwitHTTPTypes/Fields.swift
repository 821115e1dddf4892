#if HTTPTypes
public import GodwitCore
public import HTTPTypes

extension HTTPTypes.HTTPFields {
    /// Converts the fields of a message or its trailers, with their order, repetitions, case and bytes.
    ///
    /// ```swift
    /// let fields = try HTTPTypes.HTTPFields(response.trailers)
    /// ```
    ///
    /// - Throws: ``HTTPTypesConversionError`` for a name that isn't a token, or a value that can't be sent.
    public init(_ fields: GodwitCore.HTTPFields) throws(HTTPTypesConversionError) {
        self.init()
        reserveCapacity(fields.count)
        for field in fields {
            guard let name = HTTPTypes.HTTPField.Name(field.name.rawName) else { throw .fieldName(field.name.rawName) }
            guard field.isValid else { throw .fieldValue(name: field.name.rawName) }
            append(HTTPTypes.HTTPField(name: name, lenientValue: FieldText.bytes(of: field.value)))
        }
    }
}

extension GodwitCore.HTTPFields {
    /// Converts the fields of a message or its trailers, with their order, repetitions, case and bytes.
    ///
    /// Indexing strategies of HPACK and QPACK are not part of a message, and are dropped.
    ///
    /// ```swift
    /// request.fields = try HTTPFields(other.headerFields)
    /// ```
    ///
    /// - Throws: ``HTTPTypesConversionError`` for a pseudo field, or a value with whitespace around it.
    public init(_ fields: HTTPTypes.HTTPFields) throws(HTTPTypesConversionError) {
        self.init()
        reserveCapacity(fields.count)
        for field in fields {
            guard let name = GodwitCore.HTTPField.Name(field.name.rawName) else { throw .fieldName(field.name.rawName) }
            let text = field.withUnsafeBytesOfValue { FieldText.exact($0) }
            // It removes whitespace around a value.
            guard let own = GodwitCore.HTTPField(name: name, value: text), own.value == text else {
                throw .fieldValue(name: name.rawName)
            }
            append(own)
        }
    }
}
#endif
