extension DecodingSession {
    func isNull(_ index: UInt32) -> Bool { index >= Self.absent || entry(index).kind == .null }

    @inline(__always)
    func kind(_ index: UInt32) -> TapeEntry.Kind { index < Self.absent ? entry(index).kind : .null }

    @inline(__always)
    func string(at index: UInt32) throws -> String {
        guard kind(index) == .string else { throw mismatch(String.self, at: index) }
        let entry = entry(index)
        guard let text = StringText(bytes: text(entry), notes: entry.notes).string else {
            throw corrupted("the string is not valid Unicode", at: index)
        }
        return text
    }

    @inline(__always)
    func bool(at index: UInt32) throws -> Bool {
        switch kind(index) {
        case .true: return true
        case .false: return false
        // Also null, as in Foundation.
        default: throw typeMismatch(Bool.self, at: index)
        }
    }

    @inline(__always)
    func integer<Value: FixedWidthInteger>(at index: UInt32) throws -> Value {
        guard kind(index) == .number else { throw mismatch(Value.self, at: index) }
        guard let value: Value = number(index).integer() else { throw unrepresentable(Value.self, at: index) }
        return value
    }

    @inline(__always)
    func double(at index: UInt32) throws -> Double {
        guard kind(index) == .number else { return try nonFinite(at: index) }
        guard let value = number(index).double else { throw unrepresentable(Double.self, at: index) }
        return value
    }

    func float(at index: UInt32) throws -> Float {
        guard kind(index) == .number else { return try nonFinite(at: index) }
        guard let value = number(index).float else { throw unrepresentable(Float.self, at: index) }
        return value
    }

    @inline(__always)
    func number(_ index: UInt32) -> NumberText {
        let entry = entry(index)
        return NumberText(bytes: text(entry), isFractional: entry.notes.contains(.isFractional))
    }

    private func nonFinite<Value: BinaryFloatingPoint>(at index: UInt32) throws -> Value {
        guard case .convertFromString(let infinity, let negative, let nan) = options.nonConformingFloatDecodingStrategy,
            kind(index) == .string
        else { throw mismatch(Value.self, at: index) }
        switch try string(at: index) {
        case infinity: return .infinity
        case negative: return -.infinity
        case nan: return .nan
        default: throw mismatch(Value.self, at: index)
        }
    }
}

extension DecodingSession {
    /// Decodes a value of any type.
    ///
    /// The types with a format in JSON of their own are recognized here, and arrays of scalars, which are decoded
    /// without a container for each of them.
    func value<Value: Decodable>(_ type: Value.Type, at index: UInt32) throws -> Value {
        switch kind(index) {
        case .string:
            if type == String.self { return unsafeBitCast(try string(at: index), to: type) }
            if type == URL.self { return unsafeBitCast(try url(at: index), to: type) }
        case .number:
            if type == Int.self { return unsafeBitCast(try integer(at: index) as Int, to: type) }
            if type == Double.self { return unsafeBitCast(try double(at: index), to: type) }
        case .array:
            if let array = try scalars(type, at: index) { return array }
        case .object where !spelling.isPlain:
            if let dictionary = try (type as? any KeyedByText.Type)?.decoded(from: self, at: index) as? Value {
                return dictionary
            }
        default: break
        }
        return try special(type, at: index) ?? Value(from: ElementDecoder(session: self, index: index))
    }

    /// `nil` if the type has no format of its own.
    @inline(__always)
    private func special<Value: Decodable>(_ type: Value.Type, at index: UInt32) throws -> Value? {
        if type == Date.self { return unsafeBitCast(try date(at: index), to: type) }
        if type == Data.self { return unsafeBitCast(try data(at: index), to: type) }
        if type == URL.self { return unsafeBitCast(try url(at: index), to: type) }
        if type == Decimal.self { return unsafeBitCast(try decimal(at: index), to: type) }
        return nil
    }

    /// An array of scalars; `nil` if the type is another.
    private func scalars<Value: Decodable>(_ type: Value.Type, at index: UInt32) throws -> Value? {
        if type == [String].self { return unsafeBitCast(try array(at: index, string), to: type) }
        if type == [Int].self { return unsafeBitCast(try array(at: index) { try integer(at: $0) as Int }, to: type) }
        if type == [Double].self { return unsafeBitCast(try array(at: index, double), to: type) }
        if type == [Bool].self { return unsafeBitCast(try array(at: index, bool), to: type) }
        if type == [[Double]].self {
            return unsafeBitCast(try array(at: index) { try array(at: $0, double) }, to: type)
        }
        return nil
    }

    private func array<Element>(at index: UInt32, _ read: (UInt32) throws -> Element) throws -> [Element] {
        guard kind(index) == .array else { throw mismatch([Any].self, at: index) }
        var elements: [Element] = []
        var place = index &+ 1
        let end = entry(index).next
        // Elements that are arrays have several entries: not more than a page is reserved in vain.
        elements.reserveCapacity(min(Int(end &- place), 256))
        while place < end {
            elements.append(try read(place))
            place = entry(place).next
        }
        return elements
    }
}
