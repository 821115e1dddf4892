// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// The engine is chosen here, by the machine that builds, and nowhere else: libcurl on Linux, URLSession on Apple
// platforms. What only Linux can build is not in the package on a Mac at all: `swift build` builds every target.
#if os(Linux)
let engine: Target.Dependency = "GodwitCurl"
#else
let engine: Target.Dependency = "GodwitURLSession"
#endif

let package = Package(
    name: "Godwit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Godwit", targets: ["Godwit"]),
        .library(name: "GodwitJSON", targets: ["GodwitJSON"]),
        .library(name: "GodwitGenerator", targets: ["GodwitGenerator"]),
        .library(name: "GodwitGraphQL", targets: ["GodwitGraphQL"]),
        .library(name: "GodwitInspector", targets: ["GodwitInspector"]),
        .library(name: "GodwitTelemetry", targets: ["GodwitTelemetry"]),
        .library(name: "GodwitTesting", targets: ["GodwitTesting"]),
        .library(name: "GodwitTestingTraits", targets: ["GodwitTestingTraits"]),
        .library(name: "GodwitUI", targets: ["GodwitUI"]),
        .library(name: "GodwitURLSession", targets: ["GodwitURLSession"]),
        .library(name: "GodwitURLSessionTesting", targets: ["GodwitURLSessionTesting"]),
        .executable(name: "godwit", targets: ["GodwitCLI"]),
        .plugin(name: "GenerateClient", targets: ["GenerateClient"]),
        .executable(name: "content-api", targets: ["ContentAPI"]),
        .executable(name: "content-reader", targets: ["ContentReader"]),
    ],
    targets: [
        // Floor 0: no I/O, no async, no clock.
        .target(name: "GodwitWire", dependencies: linuxOnly("CIDN2"), swiftSettings: strict),
        .target(name: "GodwitJSON", swiftSettings: strict),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

        // Floor 1: all that awaits.
        .target(name: "GodwitDeflate", dependencies: ["GodwitWire", "CZlib"], swiftSettings: strict),
        .target(
            name: "GodwitCore", dependencies: ["GodwitDeflate", "GodwitJSON", "GodwitWire"], swiftSettings: strict),

        // Floor 2: engines, the stores on disk and the testing kit.
        // Apple's own engine. Elsewhere it is built for comparison, and nothing but its tests depends on it.
        .target(name: "GodwitURLSession", dependencies: ["GodwitCore"], swiftSettings: strict),
        // Apart from GodwitTesting, which links no Foundation.
        .target(
            name: "GodwitURLSessionTesting", dependencies: ["GodwitCore", "GodwitURLSession"], swiftSettings: strict),
        .target(name: "GodwitStorage", dependencies: ["GodwitCore", "CSQLite"], swiftSettings: strict),
        // A program's side of background transfers: on Linux it talks to godwit-transferd.
        .target(name: "GodwitBackground", dependencies: ["GodwitCore"], swiftSettings: strict),
        // On Linux its server speaks TLS by OpenSSL.
        .target(
            name: "GodwitTesting", dependencies: ["GodwitCore", "GodwitDeflate"] + linuxOnly("COpenSSL"),
            swiftSettings: strict),
        // Apart from GodwitTesting, which programs may link: this links Swift Testing.
        .target(name: "GodwitTestingTraits", dependencies: ["GodwitTesting"], swiftSettings: strict),

        // Floor 3: the umbrella.
        .target(
            name: "Godwit",
            dependencies: ["GodwitBackground", "GodwitCore", "GodwitStorage", engine],
            swiftSettings: strict),

        // Floor 4: what stands on the client. The engine is the program's choice.
        .target(name: "GodwitUI", dependencies: ["GodwitCore"], swiftSettings: strict),
        .target(name: "GodwitGraphQL", dependencies: ["GodwitCore"], swiftSettings: strict),
        // Exports traces and metrics; its exports need an engine.
        .target(name: "GodwitTelemetry", dependencies: ["Godwit", "GodwitCore"], swiftSettings: strict),
        // Writes clients as source code. It sends nothing itself, and so needs no client.
        .target(
            name: "GodwitGenerator", dependencies: ["CYAML", "GodwitJSON", "GodwitWire"], swiftSettings: strict),
        // A page that shows what programs send, served by the testing kit's server.
        .target(
            name: "GodwitInspector", dependencies: ["GodwitCore", "GodwitTesting"],
            resources: [.embedInCode("Page")], swiftSettings: strict),

        // Floor 5: programs.
        // Without package access: the command proves that the public API is enough.
        .target(
            name: "GodwitCommand",
            dependencies: ["Godwit", "GodwitGenerator", "GodwitGraphQL", "GodwitInspector", "GodwitTesting"]
                + linuxOnly("COpenSSL"),
            packageAccess: false, swiftSettings: strict),
        .executableTarget(name: "GodwitCLI", dependencies: ["GodwitCommand"], swiftSettings: strict),
        // `swift package generate-client`, for packages that depend on Godwit.
        .plugin(
            name: "GenerateClient",
            capability: .command(
                intent: .custom(verb: "generate-client", description: "Write a Swift client for an API"),
                permissions: [.writeToPackageDirectory(reason: "It writes the client's sources")]),
            dependencies: ["generate-client-tool"], path: "Plugins/GenerateClient"),
        // The same program as godwit: a plugin finds a tool only by the name of its target.
        .executableTarget(
            name: "generate-client-tool", dependencies: ["GodwitCommand"], path: "Plugins/GenerateClientTool",
            swiftSettings: strict),
        .target(
            name: "ContentAPIServer", dependencies: ["Godwit", "GodwitTesting"], path: "Examples/ContentAPI/Server",
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "ContentAPI", dependencies: ["ContentAPIServer"], path: "Examples/ContentAPI/Program",
            swiftSettings: strict),
        .target(
            name: "ContentReaderKit", dependencies: ["Godwit", "GodwitUI"], path: "Examples/ContentReader/Kit",
            packageAccess: false, swiftSettings: strict),
        // The reader's models as a web page.
        .target(
            name: "ContentReaderWeb", dependencies: ["ContentReaderKit", "Godwit", "GodwitTesting", "GodwitUI"],
            path: "Examples/ContentReader/Web", resources: [.embedInCode("Page")], packageAccess: false,
            swiftSettings: strict),
        .executableTarget(
            name: "ContentReader",
            dependencies: ["ContentAPIServer", "ContentReaderKit", "ContentReaderWeb", "Godwit", "GodwitTesting"],
            path: "Examples/ContentReader/Program", swiftSettings: strict),

        // What several tests stand on: folders and programs that end with them.
        .target(name: "TestSupport", dependencies: ["GodwitCore"], path: "Tests/Support", swiftSettings: strict),

        // Tests mirror the sources.
        .testTarget(
            name: "GodwitWireTests", dependencies: ["GodwitWire", "GodwitDeflate", "GodwitTesting", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "GodwitJSONTests", dependencies: ["GodwitJSON", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "GodwitCoreTests",
            dependencies: ["GodwitCore", "GodwitTesting", "TestSupport"] + linuxOnly("path-probe"),
            swiftSettings: strict),
        .testTarget(
            name: "GodwitURLSessionTests",
            dependencies: [
                "GodwitCore", "GodwitURLSession", "GodwitURLSessionTesting", "GodwitTesting", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GodwitStorageTests",
            dependencies: ["CSQLite", "GodwitStorage", "GodwitTesting", "StorageWriter", "TestSupport"],
            swiftSettings: strict),
        // Writes to a store until it is killed.
        .executableTarget(
            name: "StorageWriter", dependencies: ["GodwitStorage"], path: "Tests/StorageWriter", swiftSettings: strict),
        .testTarget(
            name: "GodwitBackgroundTests",
            dependencies: ["BackgroundClient", "Godwit", "GodwitTesting", "TestSupport"]
                + linuxOnly("GodwitTransferDaemon", "GodwitTransferd"),
            swiftSettings: strict),
        // Hands jobs over until it is killed.
        .executableTarget(
            name: "BackgroundClient", dependencies: ["Godwit"], path: "Tests/BackgroundClient", packageAccess: false,
            swiftSettings: strict),
        .testTarget(
            name: "GodwitTestingTests",
            dependencies: ["Godwit", "GodwitTesting", "GodwitTestingTraits", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "GodwitCLITests",
            dependencies: [
                "Godwit", "GodwitBackground", "GodwitCommand", "GodwitCLI", "GodwitTesting", "TestSupport",
            ] + linuxOnly("GodwitTransferd", "PeerSupport"),
            swiftSettings: strict),
        .testTarget(
            name: "ContentTests",
            dependencies: [
                "ContentAPIServer", "ContentReader", "ContentReaderKit", "ContentReaderWeb", "Godwit", "GodwitTesting",
                "GodwitUI", "TestSupport",
            ] + linuxOnly("GodwitTransferd"),
            swiftSettings: strict),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "Godwit", "GodwitGraphQL", "GodwitInspector", "GodwitTelemetry", "GodwitTesting", "GodwitTestingTraits",
                "GodwitUI", "GodwitURLSession", "GodwitURLSessionTesting",
            ] + linuxOnly("GodwitFleet"),
            path: "Tests/Documentation",
            exclude: ["Birds/GENERATED.md", "FirstExample"], packageAccess: false, swiftSettings: strict),
        // The README's first example: built to see that it compiles, and what it links.
        .executableTarget(
            name: "FirstExample", dependencies: ["Godwit"], path: "Tests/Documentation/FirstExample/Sources/reader",
            packageAccess: false),
        .testTarget(
            name: "GodwitInspectorTests",
            dependencies: ["Godwit", "GodwitCommand", "GodwitInspector", "GodwitTesting", "GodwitUI", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "GodwitGeneratorTests", dependencies: ["GodwitGenerator", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "GodwitGraphQLTests", dependencies: ["Godwit", "GodwitGraphQL", "GodwitTesting", "TestSupport"],
            exclude: ["Peers"], swiftSettings: strict),
        .testTarget(
            name: "GodwitTelemetryTests",
            dependencies: ["Godwit", "GodwitTelemetry", "GodwitTesting", "TestSupport"] + linuxOnly("PeerSupport"),
            exclude: ["Peers"], swiftSettings: strict),
        .testTarget(
            name: "GodwitUITests",
            dependencies: ["Godwit", "GodwitUI", "GodwitTesting", "OutboxWriter", "TestSupport"],
            swiftSettings: strict),
        // Adds to an outbox until it is killed.
        .executableTarget(
            name: "OutboxWriter", dependencies: ["Godwit", "GodwitUI"], path: "Tests/OutboxWriter",
            packageAccess: false, swiftSettings: strict),
        .testTarget(
            name: "GodwitTests", dependencies: ["Godwit", "GodwitTesting", "TestSupport"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

/// Dependencies that a target has on Linux alone.
func linuxOnly(_ names: String...) -> [Target.Dependency] {
    #if os(Linux)
    names.map { .byName(name: $0) }
    #else
    []
    #endif
}

#if os(Linux)
package.products.append(.executable(name: "godwit-transferd", targets: ["GodwitTransferd"]))
package.products.append(.library(name: "GodwitFleet", targets: ["GodwitFleet"]))
package.targets += [
    .systemLibrary(name: "CLibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
    .systemLibrary(name: "CPsl", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
    .target(name: "CGodwitCurl", dependencies: ["CLibcurl", "COpenSSL"]),
    .target(
        name: "GodwitCurl",
        dependencies: ["GodwitCore", "CGodwitCurl", "CLibcurl", "CZlib", "CBrotli", "CZstd", "CPsl"],
        swiftSettings: strict),
    // Without pkg-config, whose flags for hiredis SwiftPM rejects.
    .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
    // Floor 4: limits and stores shared through Redis.
    .target(name: "GodwitFleet", dependencies: ["GodwitCore", "CHiredis", "COpenSSL"], swiftSettings: strict),
    .testTarget(
        name: "GodwitFleetTests",
        dependencies: ["Godwit", "GodwitFleet", "GodwitTesting", "FleetMember", "PeerSupport", "TestSupport"],
        swiftSettings: strict),
    // One process of a fleet, which a test or script/bench starts several times.
    .executableTarget(
        name: "FleetMember", dependencies: ["CHiredis", "Godwit", "GodwitFleet", "GodwitTesting"],
        path: "Tests/FleetMember", swiftSettings: strict),
    // The other side of background transfers, which no program links but its own.
    .target(
        name: "GodwitTransferDaemon", dependencies: ["Godwit", "GodwitBackground", "GodwitStorage"],
        swiftSettings: strict),
    .executableTarget(name: "GodwitTransferd", dependencies: ["GodwitTransferDaemon"], swiftSettings: strict),
    // Real servers, bare listeners and the transports to put through a test.
    .target(
        name: "PeerSupport", dependencies: ["Godwit", "GodwitURLSession", "GodwitTesting", "TestSupport"],
        path: "Tests/PeerSupport", swiftSettings: strict),
    // What a test runs in a network namespace of its own.
    .executableTarget(
        name: "path-probe", dependencies: ["GodwitCore", "GodwitCurl", "GodwitTesting"], path: "Tests/PathProbe",
        swiftSettings: strict),
    .testTarget(
        name: "GodwitCurlTests",
        dependencies: ["COpenSSL", "Godwit", "GodwitCurl", "GodwitTesting", "PeerSupport", "TestSupport"],
        swiftSettings: strict),
    .testTarget(
        name: "ContractTests",
        dependencies: ["Godwit", "GodwitURLSession", "GodwitTesting", "PeerSupport", "TestSupport"],
        path: "Tests/Contract", swiftSettings: strict),
    // Networks that die, stall and lie; its peers in Python are started by the tests.
    .testTarget(
        name: "BadNetworkTests",
        dependencies: ["COpenSSL", "Godwit", "GodwitCurl", "GodwitTesting", "PeerSupport", "TestSupport"],
        path: "Tests/BadNetwork", exclude: ["Peers"], swiftSettings: strict),
    // An example decoder of images. Without libjpeg and libpng it builds, and refuses every image.
    .systemLibrary(
        name: "CJPEG", path: "Examples/ImageDecoding/CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"])]),
    .systemLibrary(
        name: "CPNG", path: "Examples/ImageDecoding/CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .target(name: "CImageDecoding", dependencies: ["CJPEG", "CPNG"], path: "Examples/ImageDecoding/C"),
    .target(
        name: "ImageDecoding", dependencies: ["CImageDecoding", "GodwitCore", "GodwitUI"],
        path: "Examples/ImageDecoding/Kit", packageAccess: false, swiftSettings: strict),
    .executableTarget(
        name: "image-thumbnail", dependencies: ["GodwitCore", "GodwitUI", "ImageDecoding"],
        path: "Examples/ImageDecoding/Program", packageAccess: false, swiftSettings: strict),
    .target(name: "CImageWriting", dependencies: ["CJPEG", "CPNG"], path: "Tests/ImageWriting"),
    .testTarget(
        name: "ImageDecodingTests",
        dependencies: [
            "CImageWriting", "Godwit", "GodwitTesting", "GodwitUI", "ImageDecoding", "TestSupport", "image-thumbnail",
        ],
        path: "Tests/ImageDecoding", swiftSettings: strict),
    // Gives parsers random inputs. A program, because a trap ends a process.
    .executableTarget(
        name: "Fuzzer",
        dependencies: [
            "Godwit", "GodwitBackground", "GodwitCommand", "GodwitCurl", "GodwitDeflate", "GodwitGenerator",
            "GodwitGraphQL", "GodwitInspector", "GodwitTelemetry", "GodwitTesting", "GodwitUI", "PeerSupport",
            "TestSupport",
        ],
        path: "Tests/Fuzzer", exclude: ["Seeds"], swiftSettings: strict),
    .testTarget(name: "FuzzTests", dependencies: ["Fuzzer", "Godwit", "TestSupport"], swiftSettings: strict),
    // The client that script/autobahn puts to the test.
    .executableTarget(
        name: "AutobahnClient", dependencies: ["Godwit"], path: "Tests/Autobahn", packageAccess: false,
        swiftSettings: strict),
]
#else
package.targets.append(
    .executableTarget(
        name: "ContentReaderApp", dependencies: ["ContentReaderKit", "Godwit", "GodwitUI"],
        path: "Examples/ContentReader/App",
        packageAccess: false, swiftSettings: strict))
#endif

// script/test --filter builds only the test targets that it needs.
if let needed = Context.environment["GODWIT_TEST_TARGETS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !needed.contains($0.name) }
}
