// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "luggage",
    products: [
        .executable(name: "luggage", targets: ["luggage"]),
        .executable(name: "luggage-board", targets: ["luggage-board"]),
        .executable(name: "luggage-reader", targets: ["luggage-reader"]),
        .executable(name: "luggage-sync", targets: ["luggage-sync"]),
        .executable(name: "luggage-tag", targets: ["luggage-tag"]),
        .library(name: "FolderWatch", targets: ["FolderWatch"]),
        .library(name: "LuggageTags", targets: ["LuggageTags"]),
        .library(name: "MessagePack", targets: ["MessagePack"]),
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "SQLiteStore", targets: ["SQLiteStore"]),
        .library(name: "TagPrinting", targets: ["TagPrinting"]),
        .library(name: "TagReading", targets: ["TagReading"]),
        .library(name: "ZBarTagReader", targets: ["ZBarTagReader"]),
    ],
    // What a dependant can do without: a trait guards what it names, and what no trait wants is not fetched.
    // All are on where none is named; see "A program of one's own" in README.md.
    traits: [
        .default(enabledTraits: ["Board", "Collections", "Programs", "SQLite", "Tests"]),
        .trait(name: "Collections", description: "Every library but MessagePack."),
        .trait(
            name: "Programs",
            description: "The programs, and the service.",
            enabledTraits: ["SQLite"]
        ),
        .trait(name: "SQLite", description: "SQLiteStore.", enabledTraits: ["Collections"]),
        .trait(name: "Tests", description: "The tests.", enabledTraits: ["Programs"]),
        .trait(
            name: "Board",
            description: "The board: the baggage room on a page, which luggage-board serves.",
            enabledTraits: ["Programs"]
        ),
    ],
    // What each costs a first build for release, in seconds of a processor, with all that it draws in
    // and the others do not; the targets below take 226.
    dependencies: [
        // 23: the command line: parsing, help and completions.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // 3: the watch service's one log interface.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // 13: persistent dictionaries: a snapshot of all objects costs nothing until they change.
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        // Only in luggage-board: HTTP as parsed by llhttp, and sockets with deadlines.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // Only in tests and benchmarks: another view of a record's file, and a peer of the store.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Only in tests: running the program as its users do.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        // The system: files, folders, processes and threads, each in one way, and text for people.
        .target(name: "CLinux"),
        .target(name: "SystemSupport", dependencies: ["CLinux", .deque]),

        // Reading: from a picture to the exact bytes of its symbols.
        .target(name: "CTagReader", linkerSettings: .reading),
        .target(name: "CReaderProtocol"),
        .target(name: "CReaderSandbox"),
        .executableTarget(
            name: "luggage-reader",
            // Not CTagReader, which it compiles as its own: see `reading.c`.
            dependencies: ["CReaderProtocol", "CReaderSandbox"],
            exclude: ["without"],
            cSettings: [.headerSearchPath("../CTagReader/include")],
            // Nothing of Swift's runtime, which every program is linked with otherwise, nor of C++'s, for
            // which that folder has an empty library: they are half of the time to start, and more code in the
            // process that pictures attack.
            linkerSettings: [
                .unsafeFlags([
                    "-nostartfiles", "-static-stdlib",
                    "-L", Context.packageDirectory + "/Sources/luggage-reader/without",
                    // An archive: see `dbus.c`.
                    "-Xlinker", "-l:libzbar.a",
                ])
            ] + .unpacking
        ),
        .target(name: "TagReading", dependencies: ["CReaderProtocol", "SystemSupport"]),
        .target(
            name: "ZBarTagReader",
            dependencies: ["TagReading", "CTagReader", "SystemSupport"]
        ),

        // Keeping: objects with constraints, merged into a durable store.
        .target(
            name: "ObjectStore",
            dependencies: ["CSwiftRuntime", "SystemSupport", .deque, .hashTrees]
        ),
        // A function of Swift's runtime that the language has no name for.
        .systemLibrary(name: "CSwiftRuntime"),
        .target(
            name: "SQLiteStore",
            dependencies: ["CSQLite", "CSQLiteLog", "ObjectStore", "SystemSupport"]
        ),
        // How SQLite writes its log: the pages of a commit together.
        .target(name: "CSQLiteLog", dependencies: ["CSQLite"]),
        // SQLite: one file that keeps what was saved through any crash, and that any tool can read.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),

        // MessagePack: a coder by itself.
        .target(name: "MessagePack"),

        // Watching folders: which files have been put into them.
        .target(name: "FolderWatch", dependencies: ["CLinux", "SystemSupport"]),

        // Luggage: what a tag says, and what is on record.
        .target(
            name: "LuggageTags",
            dependencies: ["CDigests", "MessagePack", "ObjectStore", "SystemSupport", "TagReading"]
        ),
        // SHA-256 of pictures, by which a picture seen before is known, and the CRC-32 and compression of
        // PNG.
        .systemLibrary(name: "CDigests", providers: [.apt(["nettle-dev", "zlib1g-dev"])]),

        // Exchanging: PostgreSQL's client library, in Swift. Only who talks to a hub is linked with it.
        .target(name: "HubConnection", dependencies: ["CPostgres", "SystemSupport"]),
        // PostgreSQL's own: TLS with client certificates, deadlines for dead links, notifications.
        .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),

        // Printing: tags for paper, and as files.
        .target(
            name: "TagPrinting",
            dependencies: ["CPrinting", "LuggageTags", "SystemSupport"]
        ),
        // Pango sets letters, also those that join; its headers are in folders that pkg-config knows.
        .systemLibrary(
            name: "CPrinting",
            pkgConfig: "pangocairo",
            providers: [.apt(["libcairo2-dev", "libpango1.0-dev", "libqrencode-dev"])]
        ),

        // Watching: folders of pictures that are filed as they come.
        .target(
            name: "LuggageService",
            dependencies: [
                "CLinux", "CYAML", "FolderWatch", "LuggageTags", "ObjectStore", "SQLiteStore",
                "SystemSupport", "TagReading", .logging,
            ]
        ),

        // Values in the file of settings: YAML's ways to write a text, and where one is wrong.
        .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),

        // Exchanging facts with a hub, a PostgreSQL database. Only its own program is linked with libpq.
        .target(
            name: "LuggageSync",
            dependencies: [
                "HubConnection", "LuggageService", "LuggageTags", "ObjectStore", "SQLiteStore",
                "SystemSupport", .logging,
            ],
            resources: [
                "tables", "members", "keeping", "giving", "published", "operating", "rights",
                "upgrades",
            ].map { .embedInCode("Schema/\($0).sql") }
        ),

        // Showing: the baggage room on a page. What a page says and who may do what is decided here,
        // without a network.
        .target(
            name: "LuggageBoard",
            dependencies: [
                "LuggageService", "LuggageTags", "ObjectStore", "SystemSupport", "TagReading",
            ],
            resources: ["board.css", "board.js", "icon.svg"].map { .embedInCode("Page/\($0)") }
        ),

        // The programs, and what each of them does with its streams, files and failures.
        .target(
            name: "ProgramSupport",
            dependencies: ["CLinux", "SystemSupport", .arguments],
            exclude: ["archives"]
        ),
        .executableTarget(
            name: "luggage",
            dependencies: [
                "LuggageService", "LuggageTags", "ObjectStore", "ProgramSupport", "SQLiteStore",
                "SystemSupport", "TagReading", "luggage-reader", .arguments, .logging,
            ],
            linkerSettings: .program
        ),
        .executableTarget(
            name: "luggage-tag",
            dependencies: [
                "LuggageTags", "ProgramSupport", "SystemSupport", "TagPrinting", .arguments,
            ],
            linkerSettings: .program
        ),
        .executableTarget(
            name: "luggage-sync",
            dependencies: [
                "HubConnection", "LuggageService", "LuggageSync", "LuggageTags", "ObjectStore",
                "ProgramSupport", "SQLiteStore", "SystemSupport", .logging,
            ],
            linkerSettings: .program
        ),
        .executableTarget(
            name: "luggage-board",
            dependencies: [
                "LuggageBoard", "LuggageService", "LuggageTags", "ObjectStore", "ProgramSupport",
                "SQLiteStore", "SystemSupport", "TagReading", .http, .networking, .sockets,
            ],
            linkerSettings: .program
        ),
        // Manual pages of the programs, when they are installed.
        .executableTarget(
            name: "luggage-manual",
            dependencies: ["ProgramSupport", "SystemSupport", .arguments]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// What the targets call of other packages.
extension Target.Dependency {
    static var arguments: Self {
        product("ArgumentParser", of: "swift-argument-parser", "Programs")
    }
    static var deque: Self { product("DequeModule", of: "swift-collections", "Collections") }
    static var grdb: Self { product("GRDB", of: "GRDB.swift", "Tests") }
    static var hashTrees: Self {
        product("HashTreeCollections", of: "swift-collections", "Collections")
    }
    static var http: Self { product("NIOHTTP1", of: "swift-nio", "Board") }
    static var networking: Self { product("NIOCore", of: "swift-nio", "Board") }
    static var sockets: Self { product("NIOPosix", of: "swift-nio", "Board") }
    static var logging: Self { product("Logging", of: "swift-log", "Programs") }
    static var subprocess: Self { product("Subprocess", of: "swift-subprocess", "Tests") }
    static var system: Self { product("SystemPackage", of: "swift-system", "Tests") }

    private static func product(_ name: String, of package: String, _ trait: String) -> Self {
        .product(name: name, package: package, condition: .when(traits: [trait]))
    }
}

extension [LinkerSetting] {
    /// What CTagReader calls.
    static var reading: Self { unpacking + [.linkedLibrary("zbar")] }

    /// The same without libzbar.
    static var unpacking: Self { ["deflate", "jpeg", "png16", "m"].map { .linkedLibrary($0) } }

    /// What makes a program 3 MB smaller, quicker to start, and the same in each build: relocations as a bitmap,
    /// which C libraries know since glibc 2.36, no names for libraries that would call the program, no number of
    /// the build, and of C++'s library only what Swift's runtime calls, from the archive that a script in that
    /// folder names.
    static var program: Self {
        let flags = ["-z", "pack-relative-relocs", "--no-export-dynamic", "--build-id=none"]
        let archives = Context.packageDirectory + "/Sources/ProgramSupport/archives"
        return [
            .unsafeFlags(
                ["-use-ld=lld", "-L", archives] + flags.flatMap { ["-Xlinker", $0] },
                .when(configuration: .release)
            )
        ]
    }
}

extension Target {
    /// A target in the folder of its name, or for a program such as `draw-tags` in `DrawTags`.
    static func aid(
        _ name: String,
        in folder: String,
        _ dependencies: [Target.Dependency]
    ) -> Target {
        let words = name.split(separator: "-")
        let path = folder + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return words.count == 1
            ? .target(name: name, dependencies: dependencies, path: path)
            : .executableTarget(name: name, dependencies: dependencies, path: path)
    }
}

// What the tests share.
let supports: KeyValuePairs<String, [Target.Dependency]> = [
    "SeededRandom": [],
    // Folders that are gone, and processes that end, with the tests.
    "TestFolders": [],
    "TestProcesses": ["CLinux", "SystemSupport", .subprocess],
    // PostgreSQL servers of a test's own.
    "TestHubs": ["HubConnection", "SystemSupport", "TestFolders", "TestProcesses"],
    // Boards as they run, and bytes to them and back.
    "TestBoards": ["SystemSupport", "TestFolders", "TestProcesses"],
    // A network between them that is slow, cut at any byte, or silently dead.
    "CTestNetworks": [],
    "TestNetworks": ["CTestNetworks", "SystemSupport", "TestProcesses"],
    // Threads for tests that would hold up others.
    "TestThreads": [],
    // How many of the tests' services run at a time.
    "ServiceTurns": [],
    // Drawing tags: for tests, and for the pictures in `samples`.
    "CTagDrawing": [],
    "TagDrawing": ["CPrinting", "CTagDrawing", "SeededRandom", "TagPrinting"],
    "draw-samples": ["SeededRandom", "TagDrawing"],
    // Pictures of tags as cameras see them, from easy to hopeless, with their truth.
    "TagScenes": ["SeededRandom", "TagDrawing", "TagPrinting"],
    "draw-tags": ["TagScenes", .arguments],
    // Tries to leave the reader's sandbox, which it closes as the reader does.
    "hostile-reader": ["CReaderProtocol", "CReaderSandbox"],
    // A model, and both stores: shared by the tests of the stores.
    "StoreTesting": ["ObjectStore", "SQLiteStore", "TestFolders"],
    // Saves without end, to be killed.
    "store-writer": ["ObjectStore", "SQLiteStore", "StoreTesting"],
    // Makes calls of the system fail on purpose, in a program that is linked with it or loads it.
    "CFaultInjection": [],
    // Saves while calls of the system fail, or until it is killed.
    "fault-writer": ["CFaultInjection", "ObjectStore", "SQLiteStore", "StoreTesting"],
    // Files what is in a folder while calls of the system fail, or until it is killed at one.
    "fault-watcher": [
        "CFaultInjection", "LuggageService", "LuggageTags", "ObjectStore", "SQLiteStore",
        "SystemSupport", "TagReading", "ZBarTagReader", .logging,
    ],
]
package.targets += supports.map { .aid($0, in: "Tests/Support/", $1) }
package.products.append(
    .library(name: "FaultInjection", type: .dynamic, targets: ["CFaultInjection"])
)

let tests: KeyValuePairs<String, [Target.Dependency]> = [
    "FolderWatchTests": [
        "CLinux", "FolderWatch", "SeededRandom", "SystemSupport", "TestFolders",
    ],
    "HubConnectionTests": [
        "HubConnection", "SystemSupport", "TestHubs", "TestNetworks",
    ],
    // Pages, and a real browser that looks at them.
    "LuggageBoardTests": [
        "LuggageBoard", "LuggageService", "LuggageTags", "ObjectStore", "SQLiteStore",
        "SeededRandom", "SystemSupport", "TagPrinting", "TagReading", "TestBoards", "TestFolders",
        "TestNetworks", "TestProcesses", "TestThreads", "luggage", "luggage-board",
        "luggage-reader",
    ],
    "LuggageCommandTests": [
        "CFaultInjection", "HubConnection", "TagPrinting", "ServiceTurns", "TagDrawing",
        "TestFolders",
        "TestHubs", "TestProcesses", "luggage", "luggage-sync", "luggage-tag", .grdb, .subprocess,
        .system,
    ],
    "LuggageServiceTests": [
        "CFaultInjection", "CLinux", "FolderWatch", "LuggageService",
        "LuggageTags", "ObjectStore", "ProgramSupport", "TagPrinting", "SQLiteStore",
        "SeededRandom", "ServiceTurns", "SystemSupport", "TagDrawing", "TagReading", "TestFolders",
        "TestProcesses", "ZBarTagReader", "fault-watcher", "luggage-reader", .logging,
        .subprocess, .system,
    ],
    // Real hubs, and records on disk.
    "LuggageSyncTests": [
        "HubConnection", "LuggageService", "LuggageSync", "LuggageTags", "ObjectStore",
        "SQLiteStore", "SeededRandom", "SystemSupport", "TagReading", "TestFolders", "TestHubs",
        "TestProcesses", "luggage-sync", .logging,
    ],
    "LuggageTagsTests": [
        "HubConnection", "LuggageSync", "LuggageTags", "ObjectStore", "SQLiteStore", "SeededRandom",
        "SystemSupport", "TagDrawing", "TagReading", "TestFolders", "TestHubs", "TestNetworks",
        "TestThreads", "ZBarTagReader", "luggage-reader", .grdb,
    ],
    "MessagePackTests": ["MessagePack", "SeededRandom", "TestProcesses", .subprocess, .system],
    "ObjectStoreTests": [
        "ObjectStore", "SQLiteStore", "SeededRandom", "StoreTesting", "TestFolders", "TestThreads",
    ],
    "SQLiteStoreTests": [
        "CFaultInjection", "ObjectStore", "SQLiteStore", "SeededRandom", "StoreTesting",
        "SystemSupport", "TestFolders", "TestProcesses", "fault-writer", "store-writer", .grdb,
    ],
    "SupportTests": ["TestFolders", "TestHubs", "TestProcesses", .subprocess, .system],
    "SystemSupportTests": ["SystemSupport", "TestFolders"],
    // A real systemd, booted beside the running one where that is possible.
    "SystemdTests": [
        "TagPrinting", "TagDrawing", "TestFolders", "TestProcesses", "luggage",
        "luggage-board", "luggage-manual", "luggage-sync", "luggage-tag", .subprocess, .system,
    ],
    "TagPrintingTests": [
        "LuggageTags", "TagDrawing", "TagPrinting", "TagReading", "TestFolders", "TestProcesses",
        "ZBarTagReader", .subprocess, .system,
    ],
    "TagReadingTests": [
        "CReaderProtocol", "CReaderSandbox", "CTagReader", "TagPrinting", "SeededRandom",
        "TagDrawing", "TagReading", "TestFolders", "TestProcesses", "ZBarTagReader",
        "hostile-reader", "luggage-reader",
        .subprocess, .system,
    ],
    "TagScenesTests": ["TagPrinting", "SeededRandom", "TagDrawing", "TagScenes"],
]
package.targets += tests.map { .testTarget(name: $0, dependencies: $1) }

// Benchmarks are for developers: a plain build leaves them out.
if Context.environment["BENCHMARK"] != nil {
    let benchmarks: KeyValuePairs<String, [Target.Dependency]> = [
        "CStoreSpeed": [],
        "board-speed": ["TestBoards", "TestFolders", "TestProcesses", .arguments],
        "coding-speed": ["MessagePack", "SeededRandom", .subprocess, .system],
        "hub-speed": [
            "HubConnection", "LuggageService", "LuggageSync", "LuggageTags", "ObjectStore",
            "SQLiteStore", "SystemSupport", "TagReading", "TestFolders", "TestHubs", .logging,
        ],
        // This project's and others, each run as its users run it.
        "PictureReaders": [
            "CMeasuredRun", "TagDrawing", "TagPrinting", "luggage", .arguments, .subprocess,
            .system,
        ],
        "reading-score": [
            "CPrinting", "CTagDrawing", "PictureReaders", "SystemSupport", "TagDrawing",
            "TagReading", "TagScenes", .arguments,
        ],
        "reading-time": ["PictureReaders", "SeededRandom", "TagDrawing"],
        "store-speed": ["CStoreSpeed", "ObjectStore", "SQLiteStore", "SeededRandom", .grdb],
        "sync-speed": ["LuggageTags", "ObjectStore", "SQLiteStore"],
        "watch-speed": [
            "TagPrinting", "SeededRandom", "TagDrawing", "TagReading", "luggage", .arguments,
        ],
    ]
    package.targets += benchmarks.map { .aid($0, in: "Tests/Benchmarks/", $1) }
    package.targets += [
        // A program: a library's name only so that it is built with the rules for C.
        .executableTarget(name: "CMeasuredRun", path: "Tests/Benchmarks/CMeasuredRun"),
        .testTarget(
            name: "ReadingScoreTests",
            dependencies: [
                "PictureReaders", "TagDrawing", "TagReading", "TagScenes", "TestFolders",
                "reading-score",
            ]
        ),
    ]
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
    package.targets.append(.aid("CSanitizedLocks", in: "Tests/Support/", []))
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
    // The tests are compiled in half the time, and run as fast: what they call is compiled as people have it.
    if target.type == .test {
        target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    }
    // What a few of them need besides.
    switch target.name {
    case "CTagDrawing":
        target.linkerSettings = ["jpeg", "png16"].map { .linkedLibrary($0) }
    case "MessagePackTests":
        // A peer in another language, and what it has said.
        target.resources = [.copy("Python")]
    case "TagScenes":
        // Pictures are millions of pixels: drawn without optimisation, a few of them take minutes.
        target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    case "FolderWatch", "LuggageBoard", "LuggageService", "LuggageTags", "ProgramSupport",
        "SystemSupport", "TagReading", "luggage":
        // A megabyte less in every program; filing was measured to be as fast, though not with `SystemSupport`.
        target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
    case "PictureReaders":
        target.resources = [.copy("Resources")]
    case "reading-score":
        target.exclude = ["README.md"]
    default: break
    }
}
