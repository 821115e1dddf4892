import GodwitCore

// The head of a response's record: the status (2 bytes) and two times (8 bytes each, the bits of seconds since 2001),
// all little-endian, then a line `name:value` for each field.
extension Record {
    /// `nil` for a response with invalid fields, which would be read back differently.
    init?(_ response: CachedResponse) {
        guard response.fields.firstInvalidField == nil else { return nil }
        var head = Data()
        head.append(UInt16(response.status.code))
        head.append(response.requestTime.timeIntervalSinceReferenceDate.bitPattern)
        head.append(response.responseTime.timeIntervalSinceReferenceDate.bitPattern)
        for field in response.fields {
            head.append(contentsOf: field.name.rawName.utf8)
            head.append(UInt8(ascii: ":"))
            head.append(contentsOf: field.value.utf8)
            head.append(UInt8(ascii: "\n"))
        }
        self.init(
            key: response.url.absoluteString, variant: response.variant, head: head, body: response.body,
            size: response.byteCount)
    }
}

extension CachedResponse {
    /// A response, by default without its body; `nil` if the record's head is invalid.
    init?(_ head: RecordHead, _ body: Data = Data(), url: HTTPURL) {
        self.init(url: url, variant: head.variant, head: head.head, body: body)
    }

    /// `nil` if the record's head is invalid.
    init?(_ record: Record, url: HTTPURL) {
        self.init(url: url, variant: record.variant, head: record.head, body: record.body)
    }

    private init?(url: HTTPURL, variant: String, head: Data, body: Data) {
        var head = head[...]
        guard let code: UInt16 = head.takeInteger(), let status = HTTPStatus(Int(code)),
            let requestTime: UInt64 = head.takeInteger(), let responseTime: UInt64 = head.takeInteger(),
            let fields = head.withUnsafeBytes({ HTTPFields(lines: $0) })
        else { return nil }
        self.init(
            url: url, variant: variant, status: status, fields: fields, body: body,
            requestTime: Date(timeIntervalSinceReferenceDate: Double(bitPattern: requestTime)),
            responseTime: Date(timeIntervalSinceReferenceDate: Double(bitPattern: responseTime)))
    }
}

extension HTTPFields {
    /// Works on bytes in place: iterating `Data` is ten times slower than iterating memory.
    fileprivate init?(lines: UnsafeRawBufferPointer) {
        self.init()
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)),
                let field = HTTPField(name: name, value: String(decoding: line[(colon + 1)...], as: UTF8.self))
            else { return nil }
            append(field)
        }
    }
}

extension Data {
    mutating func append(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Removes a number from the front; `nil` if there are too few bytes.
    mutating func takeInteger<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
        let size = MemoryLayout<Number>.size
        guard count >= size else { return nil }
        defer { self = dropFirst(size) }
        return prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
