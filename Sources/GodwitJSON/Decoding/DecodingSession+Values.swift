extension DecodingSession {
    func isNull(_ index: UInt32) -> Bool { kind(index) == .null }

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
    /// Decodes a value of any type. The types with a format of their own are recognized here.
    ///
    /// A value is cast to the type that the plan belongs to, which is its own.
    func value<Value: Decodable>(_ type: Value.Type, at index: UInt32) throws -> Value {
        switch plans[type] {
        case .other: return try Value(from: ElementDecoder(session: self, index: index))
        case .readable(let table):
            return try value(type) { memory in
                try table._withUnsafeGuaranteedRef { try $0.type.read(from: self, at: index, $0, to: memory) }
            }
        case .collection(let collection):
            return try value(type) { try collection.decode(from: self, at: index, to: $0) }
        case .string: return unsafeBitCast(try string(at: index), to: type)
        case .integer: return unsafeBitCast(try integer(at: index) as Int, to: type)
        case .double: return unsafeBitCast(try double(at: index), to: type)
        case .bool: return unsafeBitCast(try bool(at: index), to: type)
        case .strings: return unsafeBitCast(try array(at: index, string), to: type)
        case .integers: return unsafeBitCast(try array(at: index) { try integer(at: $0) as Int }, to: type)
        case .doubles: return unsafeBitCast(try array(at: index, double), to: type)
        case .bools: return unsafeBitCast(try array(at: index, bool), to: type)
        case .pairs: return unsafeBitCast(try array(at: index) { try array(at: $0, double) }, to: type)
        case .stringsByKey: return unsafeBitCast(try dictionary(at: index, string), to: type)
        case .integersByKey:
            return unsafeBitCast(try dictionary(at: index) { try integer(at: $0) as Int }, to: type)
        case .doublesByKey: return unsafeBitCast(try dictionary(at: index, double), to: type)
        case .boolsByKey: return unsafeBitCast(try dictionary(at: index, bool), to: type)
        case .date: return unsafeBitCast(try date(at: index), to: type)
        case .data: return unsafeBitCast(try data(at: index), to: type)
        case .url: return unsafeBitCast(try url(at: index), to: type)
        case .decimal: return unsafeBitCast(try decimal(at: index), to: type)
        }
    }

    private func value<Value>(
        _ type: Value.Type, _ initialize: (UnsafeMutableRawPointer) throws -> Void
    ) rethrows -> Value {
        let place = memory.push(MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        defer { memory.pop(place) }
        try initialize(place)
        return place.assumingMemoryBound(to: type).move()
    }

    @inline(__always)
    func array<Element>(at index: UInt32, _ read: (UInt32) throws -> Element) throws -> [Element] {
        try array(at: index) { place, element in
            element.initializeMemory(as: Element.self, to: try read(place))
        }
    }

    /// Makes an array of elements that a function writes to uninitialized memory.
    @inline(__always)
    func array<Element>(
        at index: UInt32, _ initialize: (UInt32, UnsafeMutableRawPointer) throws -> Void
    ) throws -> [Element] {
        guard kind(index) == .array else { throw mismatch([Any].self, at: index) }
        let count = elementCount(of: index)
        if count == 0 { return [] }
        return try Array(unsafeUninitializedCapacity: count) { elements, count in
            guard let start = elements.baseAddress else { return }
            var place = index &+ 1
            let end = entry(index).next
            while place < end {
                try initialize(place, UnsafeMutableRawPointer(start + count))
                count &+= 1
                place = entry(place).next
            }
        }
    }

    /// If a key occurs more than once, the first counts, also if the others have other types.
    @inline(__always)
    func dictionary<Value>(at index: UInt32, _ read: (UInt32) throws -> Value) throws -> [String: Value] {
        guard kind(index) == .object else { throw mismatch([String: Any].self, at: index) }
        // The conversion of keys is for the names of properties.
        if !spelling.isPlain { verbatimObjects.insert(index) }
        var dictionary = [String: Value](minimumCapacity: memberCount(of: index))
        var place = index &+ 1
        let end = entry(index).next
        while place < end {
            let key = sentKey(at: place)
            do {
                let value = try read(place &+ 1)
                if let former = dictionary.updateValue(value, forKey: key) { dictionary[key] = former }
            } catch {
                guard dictionary[key] != nil else { throw error }
            }
            place = entry(place &+ 1).next
        }
        return dictionary
    }

    /// Remembers the last count: `while container.currentIndex < container.count` asks for it again and again.
    func elementCount(of array: UInt32) -> Int {
        if lastCount.array == array { return lastCount.count }
        var (count, place) = (0, array &+ 1)
        while place < entry(array).next {
            place = entry(place).next
            count &+= 1
        }
        lastCount = (array, count)
        return count
    }

    func memberCount(of object: UInt32) -> Int {
        var (count, place) = (0, object &+ 1)
        while place < entry(object).next {
            place = entry(place &+ 1).next
            count &+= 1
        }
        return count
    }
}
