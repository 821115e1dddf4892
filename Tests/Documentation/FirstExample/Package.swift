// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "reader",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "godwit", path: "../godwit")],
    targets: [
        .executableTarget(name: "reader", dependencies: [.product(name: "Godwit", package: "godwit")])
    ]
)
