import Foundation
import SystemSupport
import Testing

@testable import LuggageService

/// A way in which a picture gets into a folder.
enum Arrival: String, CaseIterable, Sendable {
    case copy, rename, hardLink, unnamedFile, slowWriter, placeholder, reservedSpace, partialName

    /// Brings the picture; where it takes several steps, each after the service has seen the last.
    func bring(
        _ picture: [UInt8],
        to path: String,
        _ events: inout AsyncStream<WatchedInbox.Event>.Iterator
    ) async throws {
        let url = URL(filePath: path)
        let beside = url.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "beside.png")
        switch self {
        case .copy:
            try Data(picture).write(to: url)
        case .rename:
            try Data(picture).write(to: beside)
            try FileManager.default.moveItem(at: beside, to: url)
        case .hardLink:
            try Data(picture).write(to: beside)
            try FileManager.default.linkItem(at: beside, to: url)
        case .unnamedFile:
            let folder = url.deletingLastPathComponent().path(percentEncoded: false)
            // O_TMPFILE, which the module of the C library leaves out.
            let descriptor = unsafe open(folder, 0o20000000 | O_DIRECTORY | O_RDWR, 0o600)
            try #require(descriptor >= 0)
            #expect(picture.writeAll(to: descriptor) == 0)
            let source = "/proc/self/fd/\(descriptor)"
            #expect(unsafe linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
            close(descriptor)
        case .slowWriter:
            let pieces = stride(from: 0, to: picture.count, by: picture.count / 3 + 1)
            for start in pieces {
                let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
                let end = min(picture.count, start + picture.count / 3 + 1)
                #expect(Array(picture[start..<end]).writeAll(to: descriptor) == 0)
                close(descriptor)
                if end < picture.count { try await events.nextUnfinished() }
            }
        case .placeholder:
            try Data().write(to: url)
            try await events.nextUnfinished()
            try Data(picture).write(to: url)
        case .reservedSpace:
            let descriptor = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
            #expect(ftruncate(descriptor, picture.count) == 0)
            close(descriptor)
            try await events.nextUnfinished()
            let again = unsafe open(path, O_WRONLY)
            #expect(picture.writeAll(to: again) == 0)
            close(again)
        case .partialName:
            let partial = URL(filePath: path + ".part")
            try Data(picture).write(to: partial)
            try FileManager.default.moveItem(at: partial, to: url)
        }
    }
}

extension AsyncStream<WatchedInbox.Event>.Iterator {
    /// Waits until the service has seen that a file is not complete.
    mutating func nextUnfinished() async throws {
        let event = await next(isolation: #isolation)
        guard case .unfinished? = event?.disposition else {
            Issue.record("the file was taken for complete: \(String(describing: event))")
            throw CancellationError()
        }
    }
}
