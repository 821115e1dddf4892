// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "BenchKit",
    platforms: [.macOS(.v15)],
    products: [.library(name: "BenchKit", targets: ["BenchKit"])],
    targets: [.target(name: "BenchKit")],
    swiftLanguageModes: [.v6]
)
