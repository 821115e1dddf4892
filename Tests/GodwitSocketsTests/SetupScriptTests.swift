import Godwit
import TestSupport
import Testing

/// `script/setup` on machines that it can't install on, simulated by an os-release and a PATH.
@Suite("script/setup on systems other than Debian", .timeLimit(.minutes(15)))
struct SetupScriptTests {
    /// Runs it where pkg-config does what a text says: as a function of the shell's, as a program that was just written may
    /// still be open in another test's child.
    private func setup(_ release: String, pkgConfig: String) async throws -> ScriptCheck.Outcome {
        let folder = TemporaryFolder()
        for tool in ["bash", "env", "dirname", "realpath", "cat", "tr", "cmp"] {
            let path = ["/bin/", "/usr/bin/"].map { $0 + tool }.first(where: FileManager.default.fileExists)
            try FileManager.default.createSymbolicLink(
                atPath: folder.url.appending(path: tool).path, withDestinationPath: try #require(path))
        }
        let file = try folder.file("os-release", Data(release.utf8))
        return try await ScriptCheck.run(
            "script/setup", [],
            environment: [
                "PATH": folder.url.path, "GODWIT_OS_RELEASE": file.path,
                "BASH_FUNC_pkg-config%%": "() { \(pkgConfig); }",
            ])
    }

    @Test(
        "T1 script/setup says what to install if it can't do it",
        arguments: [
            ("ID=fedora\nPRETTY_NAME=\"Fedora Linux 43\"", "Fedora Linux 43", "dnf install libcurl-devel"),
            ("ID=rocky\nID_LIKE=\"rhel centos fedora\"", "rocky", "CodeReady Builder"),
            ("ID=alpine\nNAME=\"Alpine Linux\"", "Alpine Linux", "apk add curl-dev"),
            ("ID=arch", "arch", "pacman -S curl"), ("ID=manjaro\nID_LIKE=arch", "manjaro", "pacman -S curl"),
            ("ID=opensuse-tumbleweed\nID_LIKE=\"opensuse suse\"", "opensuse", "zypper install libcurl-devel"),
            ("ID=void", "void", "for GodwitHTTP3, libcurl 7.88 or later"), ("", "", "install by hand"),
        ])
    func advice(release: String, name: String, words: String) async throws {
        let outcome = try await setup(release, pkgConfig: "false")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(name), "\(outcome.output)")
        #expect(outcome.output.contains(words), "\(outcome.output)")
        #expect(outcome.output.contains("missing: openssl libnghttp2 zlib"), "\(outcome.output)")
    }

    @Test("T1 script/setup says nothing if nothing is missing")
    func complete() async throws {
        let outcome = try await setup("ID=fedora", pkgConfig: "true")
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty, "\(outcome.output)")
    }

    @Test("T1 script/setup says what a libcurl that is too old, or missing, rules out: only GodwitHTTP3")
    func old() async throws {
        let outcome = try await setup("ID=fedora", pkgConfig: "case $1 in --atleast-version*) return 1 ;; esac")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("the product GodwitHTTP3 can't be built"), "\(outcome.output)")
    }
}
