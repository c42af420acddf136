internal import CTagReader
internal import Synchronization
internal import SystemSupport
public import TagReading

/// Reads pictures in the calling process.
///
/// Use it for trusted pictures and in tests: a picture that crashes the decoder ends this process,
/// and one that makes it hang blocks a thread. For untrusted pictures use `ReaderPool`.
///
/// The limits ``TagReading/ReadLimits/time``, ``TagReading/ReadLimits/processorSeconds`` and
/// ``TagReading/ReadLimits/memoryBytes`` need a process that can be killed, and are not enforced.
public struct ZBarTagReader: TagReader {
    /// The limits for one picture.
    public let limits: ReadLimits

    // As many as processors: each is busy with its picture until it is read.
    private let threads = WorkThreads(limit: availableProcessors())

    /// Makes a reader.
    ///
    /// - Parameter limits: The limits for one picture.
    public init(limits: ReadLimits = .default) {
        self.limits = limits
    }

    /// Reads every QR symbol in a picture, on a thread outside Swift's cooperative pool.
    ///
    /// - Parameter image: The picture; its descriptor is read from its beginning and stays open.
    /// - Returns: The reading.
    /// - Throws: ``TagReading/ReadError``.
    public func read(_ image: TagImage) async throws(ReadError) -> Reading {
        let limits = limits
        let turn = Turn()
        let result = await withTaskCancellationHandler {
            await threads.run {
                Result { () throws(ReadError) in
                    if turn.isCancelled.load(ordering: .relaxed) { throw .cancelled }
                    return try readNow(image, limits)
                }
            }
        } onCancel: {
            turn.isCancelled.store(true, ordering: .relaxed)
        }
        return try result.get()
    }

    /// The turn of a picture, for which it may wait.
    private final class Turn: Sendable {
        let isCancelled = Atomic(false)
    }
}

private func readNow(_ image: TagImage, _ limits: ReadLimits) throws(ReadError) -> Reading {
    var bounds = TagReaderLimits(
        pixels: UInt64(clamping: limits.pixels),
        file_bytes: UInt64(clamping: limits.fileBytes),
        symbols: UInt32(clamping: limits.symbols),
        effort: limits.effort.number
    )
    var result = unsafe TagReaderResult()
    let started = SuspendingClock.Instant.now
    unsafe tag_reader_read(image.descriptor, &bounds, &result)
    let duration = SuspendingClock.Instant.now - started
    defer { unsafe tag_reader_result_free(&result) }

    guard let status = ReaderStatus(rawValue: Int32(bitPattern: unsafe result.status.rawValue))
    else {
        throw ReadError(.decoderFailed, "the reader gave an unknown status")
    }
    let words = unsafe withUnsafeBytes(of: result.message) { unsafe Array($0) }
    let errorNumber = unsafe result.error_number
    if let error = status.error(message: words, errorNumber: errorNumber) { throw error }
    let found = unsafe UnsafeBufferPointer(start: result.symbols, count: result.symbol_count)
    let places = unsafe withUnsafeBytes(of: result.unread) { bytes in
        unsafe Array(bytes.bindMemory(to: TagReaderUnread.self))
    }
    return Reading(
        symbols: unsafe found.map { unsafe Symbol($0) },
        unread: places.prefix(Int(unsafe result.unread_count)).map { UnreadPlace($0) },
        width: Int(unsafe result.width),
        height: Int(unsafe result.height),
        duration: duration
    )
}

extension Symbol {
    fileprivate init(_ symbol: TagReaderSymbol) {
        let corners = unsafe symbol.corners
        let points = [corners.0, corners.1, corners.2, corners.3]
        unsafe self.init(
            payload: Array(UnsafeBufferPointer(start: symbol.bytes, count: symbol.count)),
            corners: points.prefix(Int(symbol.corner_count)).map { PixelPoint($0) },
            isPartial: symbol.is_partial != 0,
            refusal: TextRefusal(
                number: symbol.refusal.rawValue,
                characterSet: symbol.character_set
            )
        )
    }
}

extension UnreadPlace {
    fileprivate init(_ place: TagReaderUnread) {
        let corners = place.corners
        self.init(corners: [corners.0, corners.1, corners.2, corners.3].map { PixelPoint($0) })
    }
}

extension PixelPoint {
    fileprivate init(_ point: TagReaderPoint) {
        self.init(x: Int(point.x), y: Int(point.y))
    }
}
