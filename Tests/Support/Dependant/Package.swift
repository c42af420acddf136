// swift-tools-version: 6.2

import PackageDescription

// A package elsewhere that has the libraries by version: `check` lays it out beside a copy of this one.
let package = Package(
    name: "dependant",
    dependencies: [.package(url: "file://\(Context.packageDirectory)/../luggage", from: "1.0.0")],
    targets: [
        .executableTarget(
            name: "coding",
            dependencies: [.product(name: "MessagePack", package: "luggage")]
        ),
        .executableTarget(
            name: "keeping",
            dependencies: [.product(name: "ObjectStore", package: "luggage")]
        ),
        .executableTarget(
            name: "reading",
            dependencies: [
                .product(name: "TagReading", package: "luggage"),
                .product(name: "luggage-reader", package: "luggage"),
            ]
        ),
    ]
)
