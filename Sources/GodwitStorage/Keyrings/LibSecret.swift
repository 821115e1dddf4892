#if os(Linux)
package import GodwitCore
import GodwitLibc

/// The functions of libsecret that a token store needs, loaded at run time, so that programs don't link it.
///
/// All block while the service responds, or a person unlocks the keyring.
package struct LibSecret: Sendable {
    private typealias Pointer = UnsafeMutableRawPointer
    private typealias ErrorPlace = UnsafeMutablePointer<Pointer?>

    // From the headers of libsecret and GLib; a gboolean is an Int32.
    private typealias Store =
        @Sendable @convention(c) (
            Pointer?, Pointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>, UnsafePointer<CChar>, Pointer?, ErrorPlace
        ) -> Int32
    private typealias Lookup = @Sendable @convention(c) (Pointer?, Pointer?, Pointer?, ErrorPlace) -> Pointer?
    private typealias Clear = @Sendable @convention(c) (Pointer?, Pointer?, Pointer?, ErrorPlace) -> Int32
    private typealias Free = @Sendable @convention(c) (Pointer?) -> Void
    private typealias NewTable = @Sendable @convention(c) (Pointer?, Pointer?) -> Pointer?
    private typealias Insert = @Sendable @convention(c) (Pointer?, Pointer?, Pointer?) -> Int32
    private typealias QuarkText = @Sendable @convention(c) (UInt32) -> UnsafePointer<CChar>?

    private let storePassword: Store
    private let lookupPassword: Lookup
    private let clearPassword: Clear
    private let freePassword: Free
    private let freeError: Free
    private let newTable: NewTable
    private let insert: Insert
    private let releaseTable: Free
    private let quarkText: QuarkText
    private let hashText: @Sendable () -> UnsafeMutableRawPointer?
    private let compareTexts: @Sendable () -> UnsafeMutableRawPointer?

    /// Loads the library, which stays loaded.
    package init(named name: String = "libsecret-1.so.0") throws(TokenStoreError) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? name
            throw .unavailable(service: "libsecret", reason: reason)
        }
        // Addresses are stored as numbers, as pointers are not Sendable.
        let library = UInt(bitPattern: handle)
        storePassword = try Self.symbol("secret_password_storev_sync", in: library)
        lookupPassword = try Self.symbol("secret_password_lookupv_sync", in: library)
        clearPassword = try Self.symbol("secret_password_clearv_sync", in: library)
        freePassword = try Self.symbol("secret_password_free", in: library)
        freeError = try Self.symbol("g_error_free", in: library)
        newTable = try Self.symbol("g_hash_table_new", in: library)
        insert = try Self.symbol("g_hash_table_insert", in: library)
        releaseTable = try Self.symbol("g_hash_table_unref", in: library)
        quarkText = try Self.symbol("g_quark_to_string", in: library)
        let (hash, compare) = (
            try Self.address("g_str_hash", in: library), try Self.address("g_str_equal", in: library)
        )
        hashText = { UnsafeMutableRawPointer(bitPattern: hash) }
        compareTexts = { UnsafeMutableRawPointer(bitPattern: compare) }
    }

    /// Stores a secret in the default keyring, replacing one with the same attributes.
    func store(_ secret: String, _ attributes: [String: String], label: String) throws(TokenStoreError) {
        try call(attributes) { table, error in storePassword(nil, table, nil, label, secret, nil, error) }
    }

    /// The secret with these attributes; `nil` if there is none.
    func lookup(_ attributes: [String: String]) throws(TokenStoreError) -> String? {
        let found = try call(attributes) { table, error in lookupPassword(nil, table, nil, error) }
        defer { freePassword(found) }
        return found.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }

    /// Removes the secrets with these attributes.
    func clear(_ attributes: [String: String]) throws(TokenStoreError) {
        try call(attributes) { table, error in clearPassword(nil, table, nil, error) }
    }
}

extension LibSecret {
    /// Calls a function with a table of attributes, and throws its error.
    @discardableResult
    private func call<Value>(
        _ attributes: [String: String], _ body: (UnsafeMutableRawPointer?, ErrorPlace) -> Value
    ) throws(TokenStoreError) -> Value {
        let texts = attributes.flatMap { [strdup($0.key), strdup($0.value)] }
        let table = newTable(hashText(), compareTexts())
        defer {
            releaseTable(table)
            for text in texts { free(text) }
        }
        for index in stride(from: 0, to: texts.count, by: 2) { _ = insert(table, texts[index], texts[index + 1]) }
        var error: UnsafeMutableRawPointer?
        let value = body(table, &error)
        if let error { throw failure(error) }
        return value
    }

    /// Reads a GError: a domain, a code and a text.
    private func failure(_ error: UnsafeMutableRawPointer) -> TokenStoreError {
        defer { freeError(error) }
        let domain = quarkText(error.load(as: UInt32.self)).map { String(cString: $0) }
        let text =
            error.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self).map { String(cString: $0) } ?? "unknown"
        // Errors of the service have this domain; others mean that it can't be reached.
        guard domain == "secret-error" else { return .unavailable(service: "the Secret Service", reason: text) }
        return .other(reason: "the keyring failed: \(text)")
    }

    private static func address(_ name: String, in library: UInt) throws(TokenStoreError) -> UInt {
        guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: library), name) else {
            throw .unavailable(service: "libsecret", reason: "it has no \(name)")
        }
        return UInt(bitPattern: symbol)
    }

    private static func symbol<Function>(_ name: String, in library: UInt) throws(TokenStoreError) -> Function {
        unsafeBitCast(try address(name, in: library), to: Function.self)
    }
}
#endif
