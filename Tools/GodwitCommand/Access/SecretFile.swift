import Godwit

/// A file of the command that holds or steers secrets.
struct SecretFile: Sendable {
    private let file: PrivateFile

    init(_ path: String) {
        file = PrivateFile(URL(filePath: path))
    }

    /// The contents; `nil` if the file doesn't exist. Throws if others can read it, or could have written it.
    func read() throws(CommandFailure) -> Data? {
        try Self.act { () throws(NetworkError) in try file.read() }
    }

    /// The contents of a file that a person wrote. Throws if others could have written it.
    func readUnforgeable() throws(CommandFailure) -> Data? {
        try Self.act { () throws(NetworkError) in
            try file.readUnforgeable { Interruption.isOver }
        }
    }

    /// Replaces the contents atomically; only the user can read them.
    func replace(with data: Data) throws(CommandFailure) {
        try Self.act { () throws(NetworkError) in try file.replace(with: data) }
    }

    /// Replaces the contents by what the body makes of them, while no other process changes the file. Blocks the thread.
    func change(_ body: (inout Data?) throws(CommandFailure) -> Void) throws(CommandFailure) {
        var failure: CommandFailure?
        try Self.act { () throws(NetworkError) in
            try file.change { data in
                let former = data
                do throws(CommandFailure) {
                    try body(&data)
                } catch {
                    data = former
                    failure = error
                }
            }
        }
        if let failure { throw failure }
    }

    private static func act<Value>(_ act: () throws(NetworkError) -> Value) throws(CommandFailure) -> Value {
        do throws(NetworkError) {
            return try act()
        } catch {
            switch error.kind {
            case .file(let reason): throw .file(reason)
            case .cancelled: throw .output(.cancelled)
            default: throw .network(error)
            }
        }
    }
}
