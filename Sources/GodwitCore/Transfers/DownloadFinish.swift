/// Puts a complete file into its place.
struct DownloadFinish: Sendable {
    let place: DownloadPlace
    /// The name that the server suggests, made safe.
    let suggestedName: String?
    let existingFile: DownloadOptions.ExistingFile
    let synchronizesToDisk: Bool
    let isExcludedFromBackup: Bool
    /// Is told before each move to where the file goes; what it throws ends it, and nothing is moved.
    let placing: DownloadPlacement.Note?

    /// Moves the file, and returns where it is. It stays where it was where this fails.
    func callAsFunction(_ file: PartialFile) async throws(NetworkError) -> URL {
        let target = place.target(named: suggestedName)
        try excludeFromBackup(target.lastPathComponent)
        switch existingFile {
        case .replace:
            _ = try await move(file, to: target, replacing: true)
        case .fail, .keepIfComplete:
            guard try await move(file, to: target, replacing: false) else { throw Self.exists(target) }
        case .keepBoth:
            return try await moveBeside(file)
        }
        return target
    }

    /// Marks the file before it is moved: only Apple's systems have such a mark.
    private func excludeFromBackup(_ name: String) throws(NetworkError) {
        #if canImport(Darwin)
        guard isExcludedFromBackup else { return }
        do {
            try place.partialFile.excludeFromBackup()
        } catch {
            throw NetworkError(
                .file(reason: "cannot exclude \(name) from backups"), phase: .receiving, underlying: error)
        }
        #endif
    }

    static func exists(_ target: URL) -> NetworkError {
        NetworkError(.file(reason: "\(target.lastPathComponent) exists already"), phase: .receiving)
    }

    private func moveBeside(_ file: PartialFile) async throws(NetworkError) -> URL {
        for number in 1...10_000 {
            let target = place.target(named: suggestedName, number: number)
            if try await move(file, to: target, replacing: false) { return target }
        }
        throw Self.exists(place.target(named: suggestedName))
    }

    private func move(_ file: PartialFile, to target: URL, replacing: Bool) async throws(NetworkError) -> Bool {
        if let placing { try await placing(try file.placement(at: target)) }
        guard try file.move(to: target, replacing: replacing) else { return false }
        if synchronizesToDisk { file.synchronizeFolder() }
        return true
    }
}
