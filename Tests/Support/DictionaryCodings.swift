#if canImport(Glibc)
package import GodwitCore
import GodwitSupport

/// Bodies compressed with a dictionary (RFC 9842), by another implementation than ours.
package enum DictionaryCodings {
    /// What a server names the dictionary by.
    package static func digest(of dictionary: Data) -> String {
        ":\(Data(SHA256.digest(dictionary)).base64EncodedString()):"
    }

    /// `dcz`, by the `zstd` command.
    ///
    /// - Parameter window: Its size as a power of two. `nil`, the default, holds the whole body.
    package static func dcz(_ body: Data, with dictionary: Data, window: Int? = nil) async throws -> Data {
        let folder = TemporaryFolder()
        let old = try folder.file("old", dictionary)
        let new = try folder.file("new", body)
        let difference = folder.url.appending(path: "difference")
        let options = window.map { ["-D", old.path, "--zstd=wlog=\($0)"] } ?? ["--patch-from=\(old.path)"]
        let line = ["/usr/bin/env", "zstd", "-qq"] + options + [new.path, "-o", difference.path]
        guard try await ChildProgram.output(of: line).code == 0 else { throw ChildProgram.CannotSpawn() }
        let header: [UInt8] = [0x5E, 0x2A, 0x4D, 0x18, 0x20, 0, 0, 0]
        return Data(header + SHA256.digest(dictionary)) + (try Data(contentsOf: difference))
    }

    private static func sentence(_ version: String) -> Data {
        let sentence =
            "The bar-tailed godwit flies eleven thousand kilometers without landing. Version \(version) of a text "
            + "that changes a little.\n"
        return Data(String(repeating: sentence, count: 3).utf8)
    }

    package static let dcbDictionary = sentence("one")
    package static let dcbDecoded = sentence("two")

    /// `dcb` of ``dcbDecoded``, by the encoder of libbrotli 1.1 with quality 11: with a window of 16 bits, and with one of 24 in
    /// two blocks.
    package static let dcb = dcb("wisAv+Qb3V12AdhgBQAhqdgmAQ==")
    package static let dcbInLargeWindow = dcb("D1cA+CXf6O7yiC4AC0JWsSED8QqAXwIgBAsAVA==")

    private static func dcb(_ base64: String) -> Data {
        Data([0xFF, 0x44, 0x43, 0x42] + SHA256.digest(dcbDictionary)) + (Data(base64Encoded: base64) ?? Data())
    }
}
#endif
