import GodwitLibc

/// Calls on a descriptor that the system may end early or interrupt. On failure, they return `false` with `errno`.
public enum Descriptor {
    /// Whether it is among the last that the process may have: connections don't take these, as libdispatch traps without any
    /// (decision 141). The system gives the lowest that is free.
    public static func isSpare(_ descriptor: Int32, ofLast count: Int = 8) -> Bool {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit > 0 && Int(descriptor) >= limit - count
    }

    /// Writes all bytes at the descriptor's position.
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        whole(bytes) { part, _ in GodwitLibc.write(descriptor, part.baseAddress, part.count) }
    }

    /// Writes all bytes at an offset.
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) -> Bool {
        whole(bytes) { part, done in pwrite(descriptor, part.baseAddress, part.count, off_t(offset) + off_t(done)) }
    }

    /// Fills a buffer from an offset on, as far as the file goes. Returns the number of bytes, or `nil` with `errno`.
    public static func read(
        into buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int64
    ) -> Int? {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Waits until the names in a folder are on the disk; on Apple platforms, until the drive has written its cache.
    public static func synchronizeFolder(_ path: String) -> Bool {
        let folder = open(path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        #if canImport(Darwin)
        // Not every file system has it.
        if fcntl(folder, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(folder) == 0
    }

    /// Gives descriptors 0 to 2 to `/dev/null` if the process was started without them.
    ///
    /// The next files and sockets would get their numbers, and what is printed would be written into one of those.
    public static func fillStandardOnes() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // Opened for the wrong direction: using it must stay an error. The system gives out the lowest free number.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Waits for events of `poll`; `false` if the time is over.
    public static func wait(_ descriptor: Int32, for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return false }
            let count = poll(&entry, 1, rest.pollTimeout)
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
        }
    }

    /// Repeats a call for the bytes that remain.
    static func whole(
        _ bytes: UnsafeRawBufferPointer, by call: (_ part: UnsafeRawBufferPointer, _ done: Int) -> Int
    ) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = call(UnsafeRawBufferPointer(rebasing: bytes[done...]), done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}

extension Duration {
    /// In milliseconds for `poll`, rounded up: a timeout of 0 would not wait.
    public var pollTimeout: Int32 {
        Int32(clamping: Int64(min(max(0, (self / .milliseconds(1)).rounded(.up)), 1e9)))
    }
}
