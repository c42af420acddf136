internal import CStoreSpeed
internal import Foundation
internal import ObjectStore
internal import SQLiteStore

/// The file that the program in C writes to.
@safe struct RawStore: ~Copyable {
    private let store: OpaquePointer

    init(path: String) throws {
        guard let store = unsafe cstorespeed_open(path) else { throw BenchmarkError.rawStoreFailed }
        unsafe self.store = unsafe store
    }

    deinit {
        unsafe cstorespeed_close(store)
    }

    func save(_ scans: [CStoreSpeedScan]) throws {
        guard unsafe cstorespeed_save(store, scans, Int64(scans.count)) else {
            throw BenchmarkError.rawStoreFailed
        }
    }

    /// Reads every bag and gives the sum of their weights.
    func read() throws -> Double {
        var weight = 0.0
        guard unsafe cstorespeed_read(store, &weight) >= 0 else {
            throw BenchmarkError.rawStoreFailed
        }
        return weight
    }

    func sums() throws -> CStoreSpeedSums {
        var sums = CStoreSpeedSums()
        guard unsafe cstorespeed_sums(store, &sums) else { throw BenchmarkError.rawStoreFailed }
        return sums
    }
}

/// Two files with the same tables, one for the object store and one for the program in C.
struct StorePair: ~Copyable {
    let container: PersistentContainer
    let raw: RawStore
    /// The path of the object store's file.
    let path: String

    /// Makes the files.
    ///
    /// - Parameters:
    ///   - folder: Where.
    ///   - count: How many bags are on record in both.
    /// - Throws: What either store throws.
    init(in folder: borrowing ScratchFolder, bags count: Int = 0) throws {
        let path = folder.path("objects-\(UUID().uuidString).sqlite")
        let rawPath = folder.path("raw-\(UUID().uuidString).sqlite")
        let model = try ManagedObjectModel(Passenger.entity, Bag.entity)
        try Self.make(path, model)
        if count > 0 {
            let filler = try RawStore(path: path)
            for start in stride(from: 0, to: count, by: 10_000) {
                try filler.save(Scans.raw(start..<min(start + 10_000, count)))
            }
        }
        try FileManager.default.copyItem(atPath: path, toPath: rawPath)
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: model, store: store)
        let raw = try RawStore(path: rawPath)
        self.path = path
        self.container = container
        self.raw = raw
    }

    private static func make(_ path: String, _ model: ManagedObjectModel) throws {
        let store = try SQLiteStore(path: path)
        _ = try PersistentContainer(model: model, store: store)
        try store.close()
    }

    /// Throws where the two files do not hold the same, so that their times say nothing.
    func check() throws {
        let (ours, theirs) = (try RawStore(path: path).sums(), try raw.sums())
        let isSame =
            ours.passengers == theirs.passengers && ours.bags == theirs.bags
            && ours.owned == theirs.owned && ours.weight == theirs.weight
            && ours.departed_at == theirs.departed_at && ours.arrived_at == theirs.arrived_at
        guard isSame else { throw BenchmarkError.differentRows }
    }
}

extension Scans {
    /// Scans for the program in C alone.
    static func raw(_ numbers: Range<Int>) -> [CStoreSpeedScan] {
        numbers.map { cstorespeed_scan(Int64($0), true) }
    }
}

extension PersistentContainer {
    /// Files scans with one save.
    func save(_ scans: some Sequence<Scan>) throws {
        let context = makeContext()
        for scan in scans { _ = Bag(scan, context) }
        try context.save()
    }
}

/// A folder that is removed at its end.
struct ScratchFolder: ~Copyable {
    private let url: URL

    /// A folder on the disk; `TMPDIR` says where.
    static func onDisk() throws -> ScratchFolder {
        try ScratchFolder(FileManager.default.temporaryDirectory)
    }

    /// A folder in memory, where nothing waits for a disk.
    static func inMemory() throws -> ScratchFolder {
        try ScratchFolder(URL(filePath: "/dev/shm"))
    }

    private init(_ parent: URL) throws {
        url = parent.appending(path: "store-speed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String {
        url.appending(path: name).path(percentEncoded: false)
    }
}

/// Why there is nothing to report.
enum BenchmarkError: Error {
    case rawStoreFailed
    case differentRows
}
