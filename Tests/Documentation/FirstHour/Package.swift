// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "reader",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "godwit", path: "../godwit")],
    targets: [
        .target(
            name: "ReaderKit",
            dependencies: [
                .product(name: "Godwit", package: "godwit"), .product(name: "GodwitUI", package: "godwit"),
            ]),
        .executableTarget(name: "reader", dependencies: ["ReaderKit", .product(name: "Godwit", package: "godwit")]),
        .testTarget(
            name: "ReaderKitTests",
            dependencies: ["ReaderKit", .product(name: "GodwitTesting", package: "godwit")]),
    ]
)
