extension RequestBody {
    /// A JSON array of values that are encoded while they are sent. Memory use stays flat.
    ///
    /// ```swift
    /// Endpoint<Void>.post("import", body: .jsonArray(articles))
    /// ```
    ///
    /// The request has no `Content-Length`. A value that can't be encoded makes the call throw `.encoding`.
    ///
    /// - Parameter values: The values, the same each time they are iterated: a retry or redirect sends them again.
    public static func jsonArray<Values: Sequence & Sendable>(_ values: Values) -> RequestBody
    where Values.Element: Encodable & Sendable {
        jsonValues(.array, values)
    }

    /// A JSON array of values that are produced while they are sent. Each value is sent as soon as it is available.
    ///
    /// ```swift
    /// Endpoint<Void>.post("import", body: .jsonArray { database.articles() })
    /// ```
    ///
    /// The request has no `Content-Length`. A slow server slows the source. A value that can't be encoded makes the call
    /// throw `.encoding`; an error of the source, `.transport(.cannotSendBody)`, except for ``NetworkError`` and
    /// `CancellationError`.
    ///
    /// - Parameter make: Returns the values. Called each time the body is sent.
    public static func jsonArray<Values: AsyncSequence & SendableMetatype>(_ make: @escaping @Sendable () -> Values)
        -> RequestBody
    where Values.Element: Encodable & Sendable {
        jsonValues(.array, make)
    }

    /// A JSON array of values that can be produced once: a retry or redirect that needs them again fails.
    ///
    /// Otherwise as ``jsonArray(_:)-(()->Values)``.
    ///
    /// - Parameter values: The values. Reading them again throws `.transport(.cannotSendBody)`.
    public static func jsonArray<Values: AsyncSequence & Sendable>(once values: Values) -> RequestBody
    where Values.Element: Encodable & Sendable {
        jsonValues(.array, once: values)
    }

    /// Values as JSON, one per line (NDJSON), encoded while they are sent. Memory use stays flat.
    ///
    /// ```swift
    /// Endpoint<Void>.post("logs", body: .jsonLines(articles))
    /// ```
    ///
    /// The request has no `Content-Length`. A value that can't be encoded makes the call throw `.encoding`.
    ///
    /// - Parameter values: The values, the same each time they are iterated: a retry or redirect sends them again.
    public static func jsonLines<Values: Sequence & Sendable>(_ values: Values) -> RequestBody
    where Values.Element: Encodable & Sendable {
        jsonValues(.lines, values)
    }

    /// Values as JSON lines (NDJSON) that are produced while they are sent. Each is sent as soon as it is available.
    ///
    /// ```swift
    /// Endpoint<Void>.post("logs", body: .jsonLines { database.articles() })
    /// ```
    ///
    /// Errors are those of ``jsonArray(_:)-(()->Values)``.
    ///
    /// - Parameter make: Returns the values. Called each time the body is sent.
    public static func jsonLines<Values: AsyncSequence & SendableMetatype>(_ make: @escaping @Sendable () -> Values)
        -> RequestBody
    where Values.Element: Encodable & Sendable {
        jsonValues(.lines, make)
    }

    /// Values as JSON lines that can be produced once: a retry or redirect that needs them again fails.
    ///
    /// - Parameter values: The values. Reading them again throws `.transport(.cannotSendBody)`.
    public static func jsonLines<Values: AsyncSequence & Sendable>(once values: Values) -> RequestBody
    where Values.Element: Encodable & Sendable {
        jsonValues(.lines, once: values)
    }

    private static func jsonValues<Values: Sequence & Sendable>(
        _ framing: JSONFraming, _ values: Values
    ) -> RequestBody where Values.Element: Encodable & Sendable {
        RequestBody(framing.contentType) { coding in
            .stream {
                // Blocks, as the values don't have to be waited for.
                JSONValueChunks(framing: framing, coding: coding, blockSize: 16 << 10) { SequenceValues(base: values) }
            }
        }
    }

    private static func jsonValues<Values: AsyncSequence & SendableMetatype>(
        _ framing: JSONFraming, _ make: @escaping @Sendable () -> Values
    ) -> RequestBody where Values.Element: Encodable & Sendable {
        RequestBody(framing.contentType) { coding in
            .stream { JSONValueChunks(framing: framing, coding: coding, blockSize: 1, make: make) }
        }
    }

    private static func jsonValues<Values: AsyncSequence & Sendable>(
        _ framing: JSONFraming, once values: Values
    ) -> RequestBody where Values.Element: Encodable & Sendable {
        // Of all bodies made of this value, as an endpoint can be sent again.
        let used = Flag()
        return RequestBody(framing.contentType) { coding in
            let chunks = JSONValueChunks(framing: framing, coding: coding, blockSize: 1) { values }
            return HTTPBody(.stream(ChunkSource(length: nil, once: chunks, used: used)))
        }
    }
}
