import GodwitSupport

// Several processes can change one file: each applies its own changes to what the file has now, under a lock.
extension PrivateFile {
    /// Replaces the contents by what a closure makes of them, while no other process changes the file this way.
    ///
    /// ```swift
    /// let state = PrivateFile(file)
    /// try state.change { data in data = (data ?? Data()) + Data("one more line\n".utf8) }
    /// ```
    ///
    /// Locks `NAME.lock` in the same folder, which exists only meanwhile, or after a crash. ``read()`` needs no lock, as the
    /// file is replaced whole. Blocks the thread, while another process writes for up to 10 s.
    ///
    /// Throws `.file` if the file can't be read or written, or if the lock can't be taken; the error then names the process
    /// that holds it, if known. In each case the file is unchanged.
    ///
    /// - Parameter body: Changes the contents; `nil` if the file doesn't exist. With `nil` afterward, nothing is written.
    public func change<Value>(_ body: (inout Data?) throws(NetworkError) -> Value) throws(NetworkError) -> Value {
        try whileLocked { () throws(NetworkError) in
            let former = try read()
            var data = former
            let value = try body(&data)
            if let data, data != former { try replace(with: data) }
            return value
        }
    }

    /// Runs work while no other process changes the file. Blocks the thread. Throws `.file` if the lock can't be taken.
    package func whileLocked<Value>(_ work: () throws(NetworkError) -> Value) throws(NetworkError) -> Value {
        switch try FileLock(of: path).whileHeld(patience: patience, work) {
        case .success(let value): return value
        case .failure(let fault): throw Self.error(fault.text(for: name, lock: "\(name).lock"))
        }
    }
}
