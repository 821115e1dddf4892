// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Godwit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Godwit", targets: ["Godwit"]),  // the client
        .library(name: "GodwitOAuth", targets: ["GodwitOAuth"]),  // sign-in by OAuth 2
        .library(name: "GodwitSigning", targets: ["GodwitSigning"]),  // AWS signatures, HTTP message signatures
        .library(name: "GodwitBackground", targets: ["GodwitBackground"]),  // transfers that outlive the program
        .library(name: "GodwitUI", targets: ["GodwitUI"]),  // observable models for screens, images, an outbox, views
        .library(name: "GodwitTesting", targets: ["GodwitTesting"]),  // mocks, a server, cassettes, a clock
        .library(name: "GodwitTestingTraits", targets: ["GodwitTestingTraits"]),  // strict mocks; links Swift Testing
        .library(name: "GodwitURLSessionTesting", targets: ["GodwitURLSessionTesting"]),  // stubs for URLSession
        .library(name: "GodwitJSON", targets: ["GodwitJSON"]),  // JSON alone
        .library(name: "GodwitURLSession", targets: ["GodwitURLSession"]),  // Apple's engine; elsewhere to compare
        .library(name: "GodwitGraphQL", targets: ["GodwitGraphQL"]),  // a GraphQL client
        .library(name: "GodwitTelemetry", targets: ["GodwitTelemetry"]),  // traces and metrics for OpenTelemetry
        .library(name: "GodwitInspector", targets: ["GodwitInspector"]),  // a live page of a program's traffic
        .library(name: "GodwitGenerator", targets: ["GodwitGenerator"]),  // clients as source code
        .library(name: "GodwitHTTP3", targets: ["GodwitHTTP3"]),  // HTTP/3, by libcurl (Linux)
        .library(name: "GodwitFleet", targets: ["GodwitFleet"]),  // limits and stores shared through Redis (Linux)
        // Bridges to other packages. Each is empty without the trait of its name (docs/integrations.md).
        .library(name: "GodwitHTTPTypes", targets: ["GodwitHTTPTypes"]),  // swift-http-types
        .library(name: "GodwitOpenAPI", targets: ["GodwitOpenAPI"]),  // clients of swift-openapi-generator
        .library(name: "GodwitLogging", targets: ["GodwitLogging"]),  // swift-log
        .library(name: "GodwitMetrics", targets: ["GodwitMetrics"]),  // swift-metrics
        .library(name: "GodwitTracing", targets: ["GodwitTracing"]),  // swift-distributed-tracing
        .library(name: "GodwitLifecycle", targets: ["GodwitLifecycle"]),  // swift-service-lifecycle
        .plugin(name: "GenerateClient", targets: ["GenerateClient"]),  // swift package generate-client
        .executable(name: "godwit", targets: ["GodwitCLI"]),  // the command
        .executable(name: "content-api", targets: ["ContentAPI"]),  // the example's server
        .executable(name: "content-reader", targets: ["ContentReader"]),  // the example
        .executable(name: "godwit-transferd", targets: ["GodwitTransferd"]),  // background transfers (Linux)
    ],
    // All are off: without them, nothing is fetched.
    traits: [
        .trait(name: "HTTPTypes", description: "Convert to and from swift-http-types"),
        .trait(
            name: "OpenAPI", description: "Send the requests of swift-openapi-generator's clients",
            enabledTraits: ["HTTPTypes"]),
        .trait(name: "Logging", description: "Log to swift-log"),
        .trait(name: "Metrics", description: "Report to swift-metrics"),
        .trait(name: "Tracing", description: "Trace with swift-distributed-tracing"),
        .trait(name: "Lifecycle", description: "Run a client as a service of swift-service-lifecycle"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-openapi-runtime.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
    ],
    targets: [
        // The client, from the ground up.
        .system("CZlib", "zlib", apt: "zlib1g-dev"),
        .system("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
        // The platform's C library, under one name.
        .ours("GodwitLibc"),
        // What is neither protocol nor HTTP. It is not a product: its names are not promised.
        .ours("GodwitSupport", "GodwitLibc"),
        .ours("GodwitJSON", "GodwitSupport"),
        .ours("GodwitWire", "GodwitLibc GodwitSupport CIDN2"),
        .ours("GodwitCore", "CZlib GodwitJSON GodwitLibc GodwitSupport GodwitWire"),
        .ours("GodwitURLSession", "GodwitCore GodwitSupport"),
        .ours("GodwitURLSessionTesting", "GodwitCore GodwitURLSession"),
        .ours("GodwitStorage", "GodwitCore CSQLite GodwitLibc GodwitSupport"),
        .ours("GodwitBackground", "GodwitCore GodwitLibc GodwitSupport"),
        // Keys by OpenSSL on Linux, by CryptoKit and Security on Apple platforms.
        .ours("GodwitSigning", "GodwitCore COpenSSL GodwitSupport"),
        .ours("GodwitOAuth", "GodwitCore GodwitLibc GodwitSigning GodwitSupport"),
        // Its server speaks TLS by OpenSSL, and HTTP/2 by nghttp2.
        .ours("GodwitTesting", "CNGHTTP2 GodwitCore COpenSSL GodwitLibc GodwitSupport GodwitTLS"),
        .ours("GodwitTestingTraits", "GodwitTesting"),
        // The engine is chosen here, by the platform that is built for, and nowhere else.
        .ours(
            "Godwit", "GodwitCore GodwitSockets GodwitStorage", onApple: "GodwitPrivacy GodwitURLSession"),
        .target(name: "GodwitPrivacy", resources: [.process("PrivacyInfo.xcprivacy")]),
        // Empty on other platforms than Linux: `swift build` builds every target.
        // Without pkg-config, as for hiredis below: SwiftPM rejects flags of Debian 13's.
        .system("CLibcurl", nil, apt: "libcurl4-openssl-dev"),
        .system("CBrotli", "libbrotlidec", apt: "libbrotli-dev"),
        .system("CZstd", "libzstd", apt: "libzstd-dev"),
        .system("COpenSSL", "openssl", apt: "libssl-dev"),
        .system("CIDN2", "libidn2", apt: "libidn2-dev"),
        .system("CPsl", "libpsl", apt: "libpsl-dev"),
        .system("CNGHTTP2", "libnghttp2", apt: "libnghttp2-dev"),
        // Headers of the kernel's interface that the Glibc module leaves out.
        .system("CLinux", nil, apt: "libc6-dev"),
        // TLS by OpenSSL over any bytes, for clients and servers.
        .ours("GodwitTLS", "GodwitCore COpenSSL GodwitLibc GodwitSupport"),
        .ours(
            "GodwitSockets",
            "GodwitCore CLinux CNGHTTP2 CZlib CBrotli CZstd CPsl GodwitLibc GodwitSupport GodwitTLS GodwitWire"),
        // HTTP/3, which the umbrella doesn't contain.
        .ours(
            "GodwitHTTP3",
            "GodwitCore CLibcurl CLinux COpenSSL GodwitLibc GodwitSockets GodwitSupport GodwitTLS GodwitWire"),
        .ours("GodwitUI", "GodwitCore GodwitLibc GodwitSupport"),

        // Satellites. The engine is the program's choice, except for telemetry, whose exports need one.
        .ours("GodwitGraphQL", "GodwitCore GodwitSupport", at: "Satellites/GodwitGraphQL"),
        .ours("GodwitTelemetry", "Godwit GodwitCore GodwitSupport", at: "Satellites/GodwitTelemetry"),
        // Limits and stores that processes share through Redis; empty on other platforms than Linux. Without pkg-config, whose
        // flags for hiredis SwiftPM rejects.
        .system("CHiredis", nil, apt: "libhiredis-dev", at: "Satellites/CHiredis"),
        .ours(
            "GodwitFleet", "GodwitCore CHiredis COpenSSL GodwitLibc GodwitSupport GodwitTLS",
            at: "Satellites/GodwitFleet"),

        // Bridges
        .bridge("HTTPTypes", "GodwitCore", "HTTPTypes swift-http-types", isOutside: false),
        .bridge(
            "OpenAPI", "GodwitCore GodwitHTTPTypes", "OpenAPIRuntime swift-openapi-runtime",
            "HTTPTypes swift-http-types"),
        .bridge("Logging", "GodwitCore GodwitSupport", "Logging swift-log"),
        .bridge("Metrics", "GodwitCore GodwitSupport", "Metrics swift-metrics", isOutside: false),
        .bridge("Tracing", "GodwitCore", "Tracing swift-distributed-tracing", isOutside: false),
        .bridge("Lifecycle", "GodwitCore", "ServiceLifecycle swift-service-lifecycle"),

        // Tools
        .system("CYAML", "yaml-0.1", apt: "libyaml-dev", at: "Tools/CYAML"),
        // Texts by rule, in bounded steps: patterns of documents and checks. Not a product.
        .ours("GodwitPatterns", at: "Tools/GodwitPatterns"),
        // It sends nothing itself, and so needs no client.
        .ours(
            "GodwitGenerator", "CYAML GodwitJSON GodwitLibc GodwitPatterns GodwitWire GodwitSupport",
            at: "Tools/GodwitGenerator"),
        .ours("GodwitInspector", "GodwitCore GodwitTesting GodwitSupport", at: "Tools/GodwitInspector", page: "Page"),
        .ours(
            "GodwitCommand",
            "Godwit GodwitBackground GodwitGenerator GodwitGraphQL GodwitInspector GodwitOAuth GodwitPatterns GodwitTesting "
                + "COpenSSL GodwitLibc GodwitSupport",
            at: "Tools/GodwitCommand", isOutside: true),
        .program("GodwitCLI", "GodwitCommand", at: "Tools/GodwitCLI"),
        // The other side of background transfers, which no program links but its own. Empty on other platforms than Linux.
        .ours(
            "GodwitTransferDaemon", "Godwit GodwitBackground GodwitLibc GodwitStorage GodwitSupport",
            at: "Tools/GodwitTransferDaemon"),
        .program("GodwitTransferd", "GodwitTransferDaemon", at: "Tools/GodwitTransferd"),
        .plugin(
            name: "GenerateClient",
            capability: .command(
                intent: .custom(verb: "generate-client", description: "Write a Swift client for an API"),
                permissions: [.writeToPackageDirectory(reason: "It writes the client's sources")]),
            dependencies: ["generate-client-tool"], path: "Plugins/GenerateClient"),
        // The same program as godwit: a plugin finds a tool only by the name of its target.
        .program("generate-client-tool", "GodwitCommand", at: "Plugins/GenerateClientTool"),

        // Examples
        .ours("ContentAPIServer", "Godwit GodwitTesting", at: "Examples/ContentAPI/Server", isOutside: true),
        .program("ContentAPI", "ContentAPIServer", at: "Examples/ContentAPI/Program"),
        .ours("ContentReaderKit", "Godwit GodwitUI", at: "Examples/ContentReader/Kit", isOutside: true),
        // The reader's models as a web page.
        .ours(
            "ContentReaderWeb", "ContentReaderKit Godwit GodwitTesting GodwitUI", at: "Examples/ContentReader/Web",
            isOutside: true,
            page: "Page"),
        .program(
            "ContentReader", "ContentAPIServer ContentReaderKit ContentReaderWeb Godwit GodwitBackground GodwitTesting",
            at: "Examples/ContentReader/Program"),

        // Tests mirror the sources. Programs that tests start stand before them.
        .ours("TestSupport", "GodwitCore GodwitLibc GodwitSupport GodwitTesting", at: "Tests/Support"),
        .tests("GodwitWireTests", "GodwitCore GodwitSupport GodwitTesting GodwitWire"),
        .tests("GodwitSupportTests", "GodwitSupport GodwitWire"),
        .tests("GodwitJSONTests", "GodwitJSON"),
        .tests(
            "GodwitCoreTests", "GodwitCore GodwitLibc GodwitOAuth GodwitSigning GodwitTesting path-probe GodwitSupport"),
        .tests("GodwitSigningTests", "Godwit GodwitSigning GodwitTesting GodwitSupport GodwitWire"),
        .tests("GodwitURLSessionTests", "GodwitCore GodwitURLSession GodwitURLSessionTesting GodwitTesting"),
        .program("StorageWriter", "GodwitStorage", at: "Tests/StorageWriter"),
        .tests("GodwitStorageTests", "CSQLite GodwitStorage GodwitTesting StorageWriter"),
        .program("BackgroundClient", "Godwit GodwitBackground", at: "Tests/BackgroundClient", isOutside: true),
        .tests(
            "GodwitBackgroundTests",
            "BackgroundClient Godwit GodwitBackground GodwitTesting GodwitTransferDaemon GodwitTransferd GodwitSupport"),
        .tests("GodwitTestingTests", "Godwit GodwitLibc GodwitTesting GodwitTestingTraits GodwitSupport"),
        .tests(
            "GodwitCLITests",
            "Godwit GodwitBackground GodwitCommand GodwitCLI GodwitTesting GodwitTransferd PeerSupport"),
        .tests(
            "ContentTests",
            "ContentAPIServer ContentReader ContentReaderKit ContentReaderWeb Godwit GodwitTesting GodwitTransferd GodwitUI"
        ),
        .tests(
            "DocumentationTests",
            "Godwit GodwitBackground GodwitFleet GodwitGraphQL GodwitHTTP3 GodwitInspector GodwitOAuth GodwitSigning "
                + "GodwitTelemetry GodwitTesting GodwitTestingTraits GodwitUI GodwitURLSession GodwitURLSessionTesting",
            at: "Tests/Documentation", without: ["Birds/GENERATED.md", "FirstExample", "FirstHour"], isOutside: true),
        // The first example (docs/first-hour.md), with the settings of a new package: built to see what it links.
        .program("FirstExample", "Godwit", at: "Tests/Documentation/FirstExample/Sources/reader", isOutside: true, []),
        // What that page builds in the end, with the same settings.
        .target(
            name: "ReaderKit", dependencies: ["Godwit", "GodwitUI"],
            path: "Tests/Documentation/FirstHour/Sources/ReaderKit", packageAccess: false),
        .testTarget(
            name: "ReaderKitTests", dependencies: ["Godwit", "GodwitTesting", "ReaderKit"],
            path: "Tests/Documentation/FirstHour/Tests/ReaderKitTests", packageAccess: false),
        .tests("GodwitInspectorTests", "Godwit GodwitCommand GodwitInspector GodwitTesting GodwitUI"),
        .tests("GodwitGeneratorTests", "GodwitGenerator"),
        .tests(
            "GodwitGraphQLTests", "Godwit GodwitGraphQL GodwitTesting", without: ["Peers", "Generated/GENERATED.md"]),
        .tests(
            "GodwitTelemetryTests", "Godwit GodwitTelemetry GodwitTesting PeerSupport GodwitSupport", without: ["Peers"]
        ),
        .program("OutboxWriter", "Godwit GodwitUI", at: "Tests/OutboxWriter", isOutside: true),
        .tests("GodwitUITests", "Godwit GodwitUI GodwitTesting OutboxWriter"),
        .tests("GodwitTests", "Godwit GodwitLibc GodwitOAuth GodwitTesting GodwitSupport"),
        .bridgeTests("HTTPTypes"),
        // Also a program that uses three bridges together.
        .bridgeTests(
            "OpenAPI", with: "GodwitLogging GodwitTracing", "OpenAPIRuntime swift-openapi-runtime",
            "HTTPTypes swift-http-types", "InMemoryLogging swift-log Logging",
            "InMemoryTracing swift-distributed-tracing Tracing"),
        .bridgeTests("Logging", "InMemoryLogging swift-log"),
        .bridgeTests("Metrics", "MetricsTestKit swift-metrics"),
        .bridgeTests("Tracing", "InMemoryTracing swift-distributed-tracing"),
        .bridgeTests(
            "Lifecycle", "ServiceLifecycleTestKit swift-service-lifecycle", "UnixSignals swift-service-lifecycle",
            "Logging swift-log"),
    ]
        + (isLinux
            ? linuxTargets
            : [.program("ContentReaderApp", "ContentReaderKit Godwit GodwitUI", at: "Examples/ContentReader/App")]),
    swiftLanguageModes: [.v6]
)

/// What is of use only in this repository, and only Linux can build. It isn't in the package on a Mac at all, as `swift build`
/// builds every target. What a program can link is chosen by the platform that is built for.
nonisolated var linuxTargets: [Target] {
    [
        // An example decoder of images. Without libjpeg and libpng it builds, and refuses every image.
        .system("CJPEG", "libjpeg", apt: "libjpeg-dev", at: "Examples/ImageDecoding/CJPEG"),
        .system("CPNG", "libpng", apt: "libpng-dev", at: "Examples/ImageDecoding/CPNG"),
        .target(name: "CImageDecoding", dependencies: ["CJPEG", "CPNG"], path: "Examples/ImageDecoding/C"),
        .ours("ImageDecoding", "CImageDecoding GodwitCore GodwitUI", at: "Examples/ImageDecoding/Kit", isOutside: true),
        .program(
            "image-thumbnail", "GodwitCore GodwitUI ImageDecoding", at: "Examples/ImageDecoding/Program",
            isOutside: true),
        .target(name: "CImageWriting", dependencies: ["CJPEG", "CPNG"], path: "Tests/ImageWriting"),
        .tests(
            "ImageDecodingTests", "CImageWriting Godwit GodwitTesting GodwitUI ImageDecoding image-thumbnail",
            at: "Tests/ImageDecoding"),
        // Real servers, bare listeners and the transports to put through a test.
        .ours(
            "PeerSupport", "Godwit GodwitHTTP3 GodwitSockets GodwitURLSession GodwitTesting TestSupport GodwitSupport",
            at: "Tests/PeerSupport"),
        // What a test runs in a network namespace of its own.
        .program("path-probe", "GodwitCore GodwitSockets GodwitTesting", at: "Tests/PathProbe"),
        .tests("GodwitTLSTests", "COpenSSL GodwitCore GodwitTLS GodwitTesting GodwitSupport"),
        .tests("GodwitSocketsTests", "COpenSSL Godwit GodwitOAuth GodwitSockets GodwitTLS GodwitTesting PeerSupport"),
        .tests(
            "ContractTests",
            "Godwit GodwitHTTP3 GodwitSigning GodwitSockets GodwitURLSession GodwitTesting GodwitWire PeerSupport GodwitSupport",
            at: "Tests/Contract"),
        // Networks that die, stall and lie; its peers in Python are started by the tests.
        .tests(
            "BadNetworkTests", "COpenSSL Godwit GodwitHTTP3 GodwitSockets GodwitTesting PeerSupport GodwitSupport",
            at: "Tests/BadNetwork",
            without: ["Peers"]),
        // Servers that others made, used as a program would: with the public API alone.
        .ours("RealServerSupport", "Godwit GodwitLibc TestSupport", at: "Tests/RealServerSupport"),
        .tests(
            "RealServerTests", "Godwit GodwitSigning GodwitUI RealServerSupport", at: "Tests/RealServers",
            isOutside: true),
        // One process of a fleet, which a test or script/bench starts several times.
        .program("FleetMember", "CHiredis Godwit GodwitFleet GodwitTesting", at: "Tests/FleetMember"),
        .tests("GodwitFleetTests", "FleetMember Godwit GodwitFleet GodwitTesting PeerSupport GodwitSupport"),
        // Gives parsers random inputs. A program, because a trap ends a process.
        .program(
            "Fuzzer",
            "Godwit GodwitBackground GodwitCommand GodwitSigning GodwitSockets GodwitGenerator GodwitGraphQL GodwitInspector "
                + "GodwitSupport GodwitTLS GodwitTelemetry GodwitTesting GodwitUI PeerSupport TestSupport COpenSSL",
            at: "Tests/Fuzzer", without: ["Seeds"]),
        .tests("FuzzTests", "Fuzzer Godwit"),
        // The client that script/autobahn puts to the test.
        .program("AutobahnClient", "Godwit", at: "Tests/Autobahn", isOutside: true),
    ]
}

nonisolated var isLinux: Bool {
    #if os(Linux)
    true
    #else
    false
    #endif
}

nonisolated var strict: [SwiftSetting] {
    [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}

extension Target {
    /// A library. Dependencies are separated by spaces; those on what only Linux has apply only there.
    ///
    /// - Parameters:
    ///   - apple: More dependencies on Apple platforms.
    ///   - isOutside: Whether it uses the public API alone, as another package does.
    static func ours(
        _ name: String, _ dependencies: String = "", onApple apple: String = "", at path: String? = nil,
        isOutside: Bool = false, page: String? = nil
    ) -> Target {
        .target(
            name: name, dependencies: list(dependencies) + list(apple, on: applePlatforms), path: path,
            resources: page.map { [.embedInCode($0)] },
            packageAccess: !isOutside, swiftSettings: strict)
    }

    static func program(
        _ name: String, _ dependencies: String, at path: String, without: [String] = [], isOutside: Bool = false,
        _ settings: [SwiftSetting] = strict
    ) -> Target {
        .executableTarget(
            name: name, dependencies: list(dependencies), path: path, exclude: without, packageAccess: !isOutside,
            swiftSettings: settings)
    }

    static func tests(
        _ name: String, _ dependencies: String, at path: String? = nil, without: [String] = [], isOutside: Bool = false
    ) -> Target {
        .testTarget(
            name: name, dependencies: list(dependencies + " TestSupport"), path: path, exclude: without,
            packageAccess: !isOutside, swiftSettings: strict)
    }

    /// The library of a trait, empty without it. A product of another package is written `PRODUCT PACKAGE`.
    static func bridge(
        _ trait: String, _ dependencies: String, _ products: String..., isOutside: Bool = true
    ) -> Target {
        .target(
            name: "Godwit\(trait)", dependencies: list(dependencies) + products.map { product($0, if: trait) },
            path: "Satellites/Godwit\(trait)", packageAccess: !isOutside, swiftSettings: strict)
    }

    /// The tests of the same. They are empty without the trait. A product of another trait names it as a third word.
    static func bridgeTests(_ trait: String, with dependencies: String = "", _ products: String...) -> Target {
        .testTarget(
            name: "Godwit\(trait)Tests",
            dependencies: list("Godwit Godwit\(trait) GodwitTesting TestSupport \(dependencies)")
                + products.map { product($0, if: trait) },
            swiftSettings: strict)
    }

    private static func product(_ name: String, if trait: String) -> Dependency {
        let words = name.split(separator: " ").map(String.init)
        let condition = TargetDependencyCondition.when(traits: [words.count > 2 ? words[2] : trait])
        return .product(name: words[0], package: words[1], condition: condition)
    }

    static func system(_ name: String, _ library: String?, apt: String, at path: String? = nil) -> Target {
        .systemLibrary(name: name, path: path, pkgConfig: library, providers: [.apt([apt])])
    }

    private static let applePlatforms: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

    /// - Parameter platforms: Where they apply; by default everywhere, or on Linux if only Linux has them.
    private static func list(_ names: String, on platforms: [Platform] = []) -> [Dependency] {
        // What only Linux has, and what isn't in the package on a Mac.
        let ofLinux = Set(
            ("CBrotli CHiredis CIDN2 CLibcurl CLinux CNGHTTP2 COpenSSL CPsl CZstd GodwitHTTP3 GodwitSockets GodwitTLS "
                + "GodwitTransferDaemon GodwitTransferd")
                .split(separator: " "))
        let absent = isLinux ? [] : Set("PeerSupport path-probe".split(separator: " "))
        return names.split(separator: " ").filter { !absent.contains($0) }.map { name in
            let platforms = ofLinux.contains(name) ? [.linux] : platforms
            return .byName(name: String(name), condition: platforms.isEmpty ? nil : .when(platforms: platforms))
        }
    }
}

// script/test --filter builds only the test targets that it needs.
if let needed = Context.environment["GODWIT_TEST_TARGETS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !needed.contains($0.name) }
}
