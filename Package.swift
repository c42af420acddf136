// swift-tools-version: 6.2

import PackageDescription

/// What CTagReader calls.
let readingLibraries: [LinkerSetting] = [
    .linkedLibrary("png16"), .linkedLibrary("zbar"), .linkedLibrary("m"),
]

let package = Package(
    name: "luggage",
    products: [
        .executable(name: "luggage", targets: ["luggage"]),
        .executable(name: "luggage-reader", targets: ["luggage-reader"]),
        .executable(name: "luggage-tag", targets: ["luggage-tag"]),
        .library(name: "FolderWatch", targets: ["FolderWatch"]),
        .library(name: "LuggageTags", targets: ["LuggageTags"]),
        .library(name: "MessagePack", targets: ["MessagePack"]),
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "SQLiteStore", targets: ["SQLiteStore"]),
        .library(name: "TagPrinting", targets: ["TagPrinting", "QRSymbols"]),
        .library(name: "TagReading", targets: ["TagReading"]),
        .library(name: "ZBarTagReader", targets: ["ZBarTagReader"]),
        // Only for tests, which have the program load it to be killed.
        .library(name: "FaultInjection", type: .dynamic, targets: ["CFaultInjection"]),
    ],
    dependencies: [
        // The command line: parsing, help and completions.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The watch service: one log interface, and its life.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle",
            from: "2.13.0"
        ),
        // Values in the file of settings: YAML's ways to write a text, and where one is wrong.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // Persistent dictionaries: a snapshot of all objects costs nothing until they change.
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // SHA-256 of pictures, by which a picture seen before is known.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // SQLite: connections, statement cache, transactions, WAL.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Only in tests: running the program as its users do.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        // Calls of the system that many parts make, each in one way.
        .target(name: "CSystemCalls"),
        .target(name: "SystemCalls", dependencies: ["CSystemCalls"]),
        // Threads that sleep while there is nothing to do, for tasks and for work that waits.
        .target(
            name: "WorkerThreads",
            dependencies: [
                "SystemCalls", .product(name: "DequeModule", package: "swift-collections"),
            ]
        ),

        // Reading: from a picture to the exact bytes of its symbols.
        .target(name: "CTagReader", linkerSettings: readingLibraries),
        .target(name: "CReaderProtocol", dependencies: ["CSystemCalls"]),
        .target(name: "CReaderSandbox"),
        .executableTarget(
            name: "luggage-reader",
            // Not CTagReader, which it compiles as its own: see `reading.c`.
            dependencies: ["CReaderProtocol", "CReaderSandbox"],
            cSettings: [.headerSearchPath("../CTagReader/include")],
            // Nothing of Swift's runtime, which every program is linked with otherwise: it is a third
            // of the time to start, and more code in the process that pictures attack.
            linkerSettings: [.unsafeFlags(["-nostartfiles", "-static-stdlib"])] + readingLibraries
        ),
        .target(name: "TagReading", dependencies: ["CReaderProtocol", "SystemCalls"]),
        .target(name: "ZBarTagReader", dependencies: ["TagReading", "CTagReader"]),

        // Keeping: objects with constraints, merged into a durable store.
        .target(
            name: "ObjectStore",
            dependencies: [
                "WorkerThreads",
                .product(name: "HashTreeCollections", package: "swift-collections"),
            ]
        ),
        .target(
            name: "SQLiteStore",
            dependencies: [
                "ObjectStore", "SystemCalls", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),

        // MessagePack: a coder by itself.
        .target(name: "MessagePack"),

        // Watching folders: which files have been put into them.
        .target(name: "CFolderWatch"),
        .target(name: "FolderWatch", dependencies: ["CFolderWatch", "SystemCalls"]),

        // Drawing: libraries of the system, and the symbols of tags.
        .systemLibrary(name: "CCairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(name: "CFontconfig", providers: [.apt(["libfontconfig-dev"])]),
        .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),
        .target(name: "QRSymbols", dependencies: ["CQREncode"]),

        // Luggage: what a tag says, and what is on record.
        .target(
            name: "LuggageTags",
            dependencies: [
                "MessagePack", "ObjectStore", "TagReading", "WorkerThreads",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        // Printing: tags for paper, and as files.
        .target(
            name: "TagPrinting",
            dependencies: ["CCairo", "CFontconfig", "LuggageTags", "QRSymbols"]
        ),
        // Watching: folders of pictures that are filed as they come.
        .target(name: "CFiling", linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "LuggageService",
            dependencies: [
                "CFiling", "FolderWatch", "LuggageTags", "ObjectStore",
                "SQLiteStore", "SystemCalls", "TagReading", "WorkerThreads",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        // What every program of this package does with its streams, files and failures.
        .target(
            name: "ProgramSupport",
            dependencies: [
                "CFiling", "LuggageTags", "SystemCalls",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(
            name: "luggage",
            dependencies: [
                "ProgramSupport", "LuggageService", "LuggageTags", "ObjectStore", "SQLiteStore",
                "SystemCalls", "TagReading", "WorkerThreads", "luggage-reader",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),

        .executableTarget(
            name: "luggage-tag",
            dependencies: [
                "LuggageTags", "ProgramSupport", "QRSymbols", "TagPrinting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // Manual pages of the programs, when they are installed.
        .executableTarget(
            name: "luggage-manual",
            dependencies: [
                "ProgramSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),

        // Drawing tags: for tests, and for the pictures in `samples`.
        .target(
            name: "CTagDrawing",
            path: "Tests/Support/CTagDrawing",
            linkerSettings: [.linkedLibrary("png16")]
        ),
        .target(name: "SeededRandom", path: "Tests/Support/SeededRandom"),
        .target(name: "ServiceTurns", path: "Tests/Support/ServiceTurns"),
        .target(
            name: "TagDrawing",
            dependencies: ["CCairo", "CQREncode", "CTagDrawing", "QRSymbols", "SeededRandom"],
            path: "Tests/Support/TagDrawing"
        ),
        .executableTarget(
            name: "draw-samples",
            dependencies: ["TagDrawing", "SeededRandom"],
            path: "Tests/Support/DrawSamples"
        ),

        // Pictures of tags as cameras see them, from easy to hopeless, with their truth.
        .target(
            name: "TagScenes",
            dependencies: ["QRSymbols", "TagDrawing", "SeededRandom"],
            path: "Tests/Support/TagScenes"
        ),
        .executableTarget(
            name: "draw-tags",
            dependencies: [
                "TagScenes", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Support/DrawTags"
        ),

        // Tries to leave the reader's sandbox, which it closes as the reader does.
        .executableTarget(
            name: "hostile-reader",
            dependencies: ["CReaderProtocol", "CReaderSandbox"],
            path: "Tests/Support/HostileReader"
        ),

        // A model, and both stores: shared by the tests of the stores.
        .target(
            name: "StoreTesting",
            dependencies: ["ObjectStore", "SQLiteStore"],
            path: "Tests/Support/StoreTesting"
        ),
        // Saves without end, to be killed.
        .executableTarget(
            name: "store-writer",
            dependencies: ["ObjectStore", "SQLiteStore", "StoreTesting"],
            path: "Tests/Support/StoreWriter"
        ),
        // Makes calls of the system fail on purpose, in the one program that is linked with it or
        // loads it.
        .target(name: "CFaultInjection", path: "Tests/Support/CFaultInjection"),
        // Saves while calls of the system fail, or until it is killed.
        .executableTarget(
            name: "fault-writer",
            dependencies: ["CFaultInjection", "ObjectStore", "SQLiteStore", "StoreTesting"],
            path: "Tests/Support/FaultWriter"
        ),

        // Files what is in a folder while calls of the system fail, or until it is killed at one.
        .executableTarget(
            name: "fault-watcher",
            dependencies: [
                "CFaultInjection", "LuggageService", "LuggageTags", "ObjectStore", "SQLiteStore",
                "TagReading", "ZBarTagReader", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Support/FaultWatcher"
        ),

        .testTarget(
            name: "FolderWatchTests",
            dependencies: ["CSystemCalls", "FolderWatch", "SeededRandom"]
        ),
        .testTarget(name: "SystemCallsTests", dependencies: ["SystemCalls"]),
        .testTarget(name: "WorkerThreadsTests", dependencies: ["WorkerThreads"]),
        .testTarget(
            name: "MessagePackTests",
            dependencies: [
                "MessagePack", "SeededRandom",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            // A peer in another language, and what it has said.
            resources: [.copy("Python")]
        ),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: ["ObjectStore", "SQLiteStore", "SeededRandom", "StoreTesting"]
        ),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: [
                "CFaultInjection", "ObjectStore", "SQLiteStore", "SeededRandom", "StoreTesting",
                "WorkerThreads", "fault-writer", "store-writer",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "TagReadingTests",
            dependencies: [
                "TagReading", "CReaderProtocol", "CReaderSandbox", "CTagReader", "ZBarTagReader",
                "QRSymbols", "SeededRandom", "TagDrawing", "hostile-reader", "luggage-reader",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .testTarget(
            name: "TagPrintingTests",
            dependencies: [
                "LuggageTags", "QRSymbols", "TagDrawing", "TagPrinting", "TagReading",
                "ZBarTagReader", .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .testTarget(
            name: "TagScenesTests",
            dependencies: ["QRSymbols", "TagScenes", "TagDrawing", "SeededRandom"]
        ),
        .testTarget(
            name: "LuggageTagsTests",
            dependencies: [
                "LuggageTags", "ObjectStore", "SQLiteStore", "TagReading", "ZBarTagReader",
                "SeededRandom", "TagDrawing", "luggage-reader",
            ]
        ),
        .testTarget(
            name: "LuggageServiceTests",
            dependencies: [
                "CFaultInjection", "CFiling", "CSystemCalls", "FolderWatch", "LuggageService",
                "LuggageTags", "ObjectStore", "ProgramSupport", "QRSymbols", "SQLiteStore",
                "SystemCalls", "TagDrawing", "TagReading", "ZBarTagReader", "SeededRandom",
                "ServiceTurns", "fault-watcher", "luggage-reader",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "LuggageCommandTests",
            dependencies: [
                "CFaultInjection", "QRSymbols", "ServiceTurns", "TagDrawing", "luggage",
                "luggage-tag",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        // A real systemd, booted beside the running one where that is possible.
        .testTarget(
            name: "SystemdTests",
            dependencies: [
                "QRSymbols", "TagDrawing", "luggage", "luggage-manual", "luggage-tag",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Benchmarks are for developers: a plain build leaves them out.
if Context.environment["BENCHMARK"] != nil {
    package.targets += [
        // A program: a library's name only so that it is built with the rules for C.
        .executableTarget(name: "CMeasuredRun", path: "Tests/Benchmarks/CMeasuredRun"),
        .executableTarget(
            name: "reading-score",
            dependencies: [
                "CMeasuredRun", "TagScenes", "luggage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Benchmarks/ReadingScore",
            exclude: ["README.md"],
            resources: [.copy("Resources")]
        ),
        .testTarget(name: "ReadingScoreTests", dependencies: ["reading-score", "TagScenes"]),
    ]
    package.targets.append(
        .executableTarget(
            name: "reading-time",
            dependencies: [
                "CMeasuredRun", "SeededRandom", "TagDrawing", "luggage",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Benchmarks/ReadingTime"
        )
    )
    package.targets.append(
        .executableTarget(
            name: "watch-speed",
            dependencies: [
                "QRSymbols", "SeededRandom", "TagDrawing", "TagReading", "luggage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Benchmarks/WatchSpeed"
        )
    )
    package.targets.append(
        .executableTarget(
            name: "coding-speed",
            dependencies: [
                "MessagePack", "SeededRandom",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Benchmarks/CodingSpeed"
        )
    )
    package.targets.append(
        .target(
            name: "CStoreSpeed",
            path: "Tests/Benchmarks/CStoreSpeed",
            linkerSettings: [.linkedLibrary("sqlite3")]
        )
    )
    package.targets.append(
        .executableTarget(
            name: "store-speed",
            dependencies: [
                "CStoreSpeed", "ObjectStore", "SQLiteStore",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Benchmarks/StoreSpeed"
        )
    )
}

// `DOCUMENTATION=1 swift package generate-documentation --target ObjectStore`.
if Context.environment["DOCUMENTATION"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")
    )
}

// `THREAD_SANITIZER=1 swift test --sanitize=thread --scratch-path .build-tsan`, with a filter as you
// like. Without it, the sanitizer does not understand Swift's locks.
if Context.environment["THREAD_SANITIZER"] != nil {
    for target in package.targets where target.type == .test || target.type == .executable {
        target.dependencies.append("CSanitizedLocks")
    }
    package.targets.append(
        .target(name: "CSanitizedLocks", path: "Tests/Support/CSanitizedLocks")
    )
}

// One set of rules for every target: a warning is an error, in Swift and in C.
for target in package.targets where target.type != .system {
    if target.name.hasPrefix("C") || target.name.hasSuffix("-reader") {
        target.cSettings =
            (target.cSettings ?? []) + [
                .define("_GNU_SOURCE"), .treatAllWarnings(as: .error), .enableWarning("all"),
                .enableWarning("extra"),
            ]
    } else {
        target.swiftSettings = [
            .strictMemorySafety(),
            .treatAllWarnings(as: .error),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
    }
    // Pictures are millions of pixels: drawn without optimisation, a few of them take minutes.
    if target.name == "TagScenes" {
        target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
}
