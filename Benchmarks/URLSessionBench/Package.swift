// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "URLSessionBench",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "BenchKit", path: "../BenchKit")],
    targets: [.executableTarget(name: "urlsession-bench", dependencies: ["BenchKit"], path: "Sources/URLSessionBench")],
    swiftLanguageModes: [.v6]
)
