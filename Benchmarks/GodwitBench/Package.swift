// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "GodwitBench",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Godwit", path: "../.."),
        .package(name: "BenchKit", path: "../BenchKit"),
    ],
    targets: [
        .executableTarget(
            name: "godwit-bench",
            dependencies: [
                .product(name: "Godwit", package: "Godwit"), .product(name: "GodwitFleet", package: "Godwit"),
                .product(name: "GodwitHTTP3", package: "Godwit"),
                .product(name: "GodwitTelemetry", package: "Godwit"), "BenchKit",
            ],
            path: "Sources/GodwitBench"),
        .executableTarget(
            name: "json-bench",
            dependencies: [.product(name: "GodwitJSON", package: "Godwit"), "BenchKit"],
            path: "Sources/JSONBench"),
        // The same with models that conform to JSONReadable.
        .executableTarget(
            name: "json-bench-readable",
            dependencies: [.product(name: "GodwitJSON", package: "Godwit"), "BenchKit"],
            path: "Sources/ReadableJSONBench"),
    ],
    swiftLanguageModes: [.v6]
)
