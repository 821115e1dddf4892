import Godwit

/// The folder that the bodies of a request file can come from.
struct FileRoot: Sendable {
    /// The maximum bytes of a file that a response is compared with.
    private static let limit = 64 << 20

    private let folder: URL

    /// - Parameter path: A folder; an empty path is the current one.
    init(_ path: String) {
        folder = URL(filePath: path.isEmpty ? "." : path, directoryHint: .isDirectory).resolvingSymlinksInPath()
    }

    /// The file with a name. Throws if it is outside of the folder, or isn't a regular file that can be read.
    func file(_ name: String) throws(CheckFault) -> URL {
        let isInside = !name.hasPrefix("/") && !name.pieces(separatedBy: "/").contains("..")
        let file = folder.appending(path: name).resolvingSymlinksInPath()
        let root = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
        guard isInside, !name.isEmpty, !name.unicodeScalars.contains("\0"), file.path.hasPrefix(root) else {
            throw CheckFault("the file \(name) is outside of \(folder.path); set the folder with --file-root")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else {
            throw CheckFault("cannot read the file \(file.path)")
        }
        return file
    }

    func read(_ name: String) throws(CheckFault) -> Data {
        let file = try file(name)
        let size = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int ?? 0
        guard size <= Self.limit else { throw CheckFault("the file \(name) is larger than \(Self.limit >> 20) MB") }
        guard let data = try? Data(contentsOf: file) else { throw CheckFault("cannot read the file \(file.path)") }
        return data
    }
}
