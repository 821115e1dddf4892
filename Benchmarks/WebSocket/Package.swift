// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "WebSocketBench",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Godwit", path: "../..")],
    targets: [
        .executableTarget(name: "websocket-echo", dependencies: [.product(name: "Godwit", package: "Godwit")])
    ],
    swiftLanguageModes: [.v6]
)
