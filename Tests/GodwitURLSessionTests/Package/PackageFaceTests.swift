#if os(Linux)
import GodwitCore
import TestSupport
import Testing

/// The manifest is evaluated as a Mac does; nothing of it can be built here.
@Suite(
    "The package on a Mac", .enabled(if: ScriptCheck.isPossible, "there is no swift on the PATH"),
    .timeLimit(.minutes(15)))
struct PackageFaceTests {
    @Test("T3 on a Mac no target depends on one that only Linux has, and each product is complete")
    func isComplete() async throws {
        let mac = try await PackageFace.of("apple")
        for target in mac.targets {
            #expect(Set(target.own(on: "macos")).subtracting(mac.names) == [], "\(target.name)")
        }
        for product in mac.products { #expect(Set(product.targets).subtracting(mac.names) == [], "\(product.name)") }
    }

    @Test("T3 I7 the two faces have the same products, and differ in what only this repository uses")
    func faces() async throws {
        let (mac, linux) = (try await PackageFace.of("apple"), try await PackageFace.of("linux"))
        #expect(mac.names.subtracting(linux.names) == ["ContentReaderApp"])
        #expect(mac.names.isDisjoint(with: ["ContractTests", "FleetMember", "PeerSupport"]))
        let products = (Set(mac.products.map(\.name)), Set(linux.products.map(\.name)))
        #expect(products.1 == products.0)
        #expect(
            products.0.isSuperset(of: [
                "Godwit", "GodwitFleet", "GodwitUI", "GodwitTesting", "GodwitURLSession", "godwit",
            ]))
    }

    @Test(
        "I7 T24 the engine is that of the platform that is built for, from either kind of machine; HTTP/3 alone links libcurl",
        arguments: ["apple", "linux"])
    func engines(host: String) async throws {
        let package = try await PackageFace.of(host)
        let libraries: Set<String> = ["GodwitSockets", "GodwitTLS", "CNGHTTP2", "COpenSSL", "CIDN2", "CPsl"]
        // SwiftPM has one name for Linux with glibc and with musl.
        #expect(package.reach(of: "Godwit", on: "linux").isSuperset(of: libraries))
        #expect(
            package.reach(of: "Godwit", on: "linux").isDisjoint(with: ["GodwitURLSession", "GodwitHTTP3", "CLibcurl"]))
        #expect(package.reach(of: "GodwitHTTP3", on: "linux").contains("CLibcurl"))
        for platform in ["macos", "maccatalyst", "ios", "tvos", "watchos", "visionos"] {
            let reach = package.reach(of: "Godwit", on: platform)
            #expect(reach.contains("GodwitURLSession"), "\(platform)")
            #expect(reach.isDisjoint(with: libraries), "\(platform)")
        }
        #expect(package.reach(of: "GodwitFleet", on: "linux").contains("CHiredis"))
        #expect(!package.reach(of: "GodwitFleet", on: "macos").contains("CHiredis"))
        // No engine is there: docs/platforms.md says so.
        let android = package.reach(of: "Godwit", on: "android")
        #expect(android.isDisjoint(with: libraries.union(["GodwitURLSession"])))
        #expect(android.contains("GodwitCore"))
    }

    @Test("I7 on a Linux with musl no file imports Glibc, or names it")
    func musl() async throws {
        let linux = try await PackageFace.of("linux")
        let conditions = ActiveImports(modules: ["Musl", "Foundation", "FoundationEssentials"], system: "Linux")
        var files = 0
        for target in linux.targets where target.type != "system" && target.type != "test" {
            // Programs of tests run on the machine of the tests.
            guard !target.folder.hasPrefix("Tests/") else { continue }
            for file in try Self.sources(of: target) {
                let text = try String(contentsOf: file, encoding: .utf8)
                let imports = conditions.imports(in: text)
                #expect(!imports.contains("Glibc"), "\(file.path)")
                #expect(!text.contains(/\bGlibc\.[a-z]/), "\(file.path)")
                if imports.contains("GodwitLibc") || imports.contains("Musl") { files += 1 }
            }
        }
        #expect(files > 80)
    }

    @Test("T3 on a Mac every file imports what its target depends on, and nothing of Linux")
    func imports() async throws {
        let (mac, linux) = (try await PackageFace.of("apple"), try await PackageFace.of("linux"))
        let foreign: Set<String> = ["Glibc", "Musl", "FoundationNetworking"]
        var files = 0
        for target in mac.targets where target.type != "system" {
            let reach = mac.reach(of: target.name, on: "macos")
            for file in try Self.sources(of: target) {
                files += 1
                let imports = ActiveImports.mac.imports(in: try String(contentsOf: file, encoding: .utf8))
                #expect(imports.intersection(linux.names).subtracting(reach) == [], "\(target.name): \(file.path)")
                #expect(imports.isDisjoint(with: foreign), "\(target.name): \(file.path)")
            }
        }
        #expect(files > 400)
    }

    private static func sources(of target: PackageFace.Target) throws -> [URL] {
        let folder = ScriptCheck.repository.appending(path: target.folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { path in
            path.hasSuffix(".swift") && !target.exclude.contains { path.hasPrefix("\($0)/") }
        }.map { folder.appending(path: $0) }
    }

    @Test(
        "T3 imports are read as the compiler of a Mac reads them",
        arguments: [
            ("import A\npublic import struct B.C\n@_exported public import D", ["A", "B", "D"]),
            ("#if os(Linux)\nimport A\n#else\nimport B\n#endif\nimport C", ["B", "C"]),
            ("#if canImport(Darwin)\nimport A\n#elseif canImport(Musl)\nimport B\n#else\nimport C\n#endif", ["A"]),
            ("#if !canImport(Security) || os(Linux)\nimport A\n#if os(macOS)\nimport B\n#endif\n#endif", []),
            ("#if canImport(AppKit) && !canImport(UIKit) && canImport(SwiftUI)\nimport A\n#endif", ["A"]),
            ("// import A\n/// import B", []),
        ] as [(String, Set<String>)])
    func conditions(text: String, imports: Set<String>) {
        #expect(ActiveImports.mac.imports(in: text) == imports)
    }
}
#endif
