// swift-tools-version: 6.2

import PackageDescription

// A package elsewhere that has one library by version: `check` lays it out beside a copy of this one, once
// for each program, with the traits that the program needs.
let program = Context.environment["PROGRAM"] ?? "coding"
let uses: [String: (traits: Set<Package.Dependency.Trait>, products: [String])] = [
    "coding": ([], ["MessagePack"]),
    "keeping": (["Collections"], ["ObjectStore"]),
    "storing": (["SQLite"], ["ObjectStore", "SQLiteStore"]),
    "reading": (["Collections"], ["TagReading", "luggage-reader"]),
]
let use = uses[program] ?? ([], [])
let package = Package(
    name: "dependant",
    dependencies: [
        .package(
            url: "file://\(Context.packageDirectory)/../luggage",
            from: "1.0.0",
            traits: use.traits
        )
    ],
    targets: [
        .executableTarget(
            name: program,
            dependencies: use.products.map { .product(name: $0, package: "luggage") }
        )
    ]
)
