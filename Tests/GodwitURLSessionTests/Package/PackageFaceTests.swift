#if os(Linux)
import GodwitCore
import TestSupport
import Testing

/// The manifest is evaluated as a Mac does; nothing of it can be built here.
@Suite(
    "The package on a Mac", .enabled(if: ScriptCheck.isPossible, "there is no swift on the PATH"),
    .timeLimit(.minutes(5)))
struct PackageFaceTests {
    @Test("T3 on a Mac no target depends on one that only Linux has, and each product is complete")
    func isComplete() async throws {
        let mac = try await PackageFace.of("apple")
        for target in mac.targets {
            #expect(Set(target.dependencies.map(\.name)).subtracting(mac.names) == [], "\(target.name)")
        }
        for product in mac.products { #expect(Set(product.targets).subtracting(mac.names) == [], "\(product.name)") }
    }

    @Test("T3 the two faces differ in the engine, the example's app, and in what stands on libcurl or Linux")
    func faces() async throws {
        let (mac, linux) = (try await PackageFace.of("apple"), try await PackageFace.of("linux"))
        #expect(mac.names.subtracting(linux.names) == ["ContentReaderApp"])
        #expect(mac.names.isDisjoint(with: ["CLibcurl", "CGodwitCurl", "GodwitCurl", "GodwitTransferd"]))
        #expect(linux.names.isSuperset(of: ["CLibcurl", "CGodwitCurl", "GodwitCurl", "GodwitTransferd"]))
        let products = (Set(mac.products.map(\.name)), Set(linux.products.map(\.name)))
        #expect(products.1.subtracting(products.0) == ["godwit-transferd", "GodwitFleet"])
        #expect(products.0.isSuperset(of: ["Godwit", "GodwitUI", "GodwitTesting", "GodwitURLSession", "godwit"]))
        #expect(mac.reach(of: "Godwit").contains("GodwitURLSession"))
        #expect(!linux.reach(of: "Godwit").contains("GodwitURLSession"))
        #expect(linux.reach(of: "Godwit").contains("GodwitCurl"))
    }

    @Test("T3 on a Mac every file imports what its target depends on, and nothing of Linux")
    func imports() async throws {
        let (mac, linux) = (try await PackageFace.of("apple"), try await PackageFace.of("linux"))
        let foreign: Set<String> = ["Glibc", "Musl", "FoundationNetworking"]
        var files = 0
        for target in mac.targets where target.type != "system" {
            let reach = mac.reach(of: target.name)
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
