import FolderWatch
import Foundation
import TestFolders
import Testing

@Suite("The guide to watching folders")
struct FolderWatchExampleTests {
    func takeFiles(of watch: FolderWatch, _ take: (String, Data) -> Void) async {
        for await file in watch {
            let path = String(decoding: file.path, as: UTF8.self)
            guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                watch.retry(file, after: .seconds(5))
                continue
            }
            if data.last == UInt8(ascii: "\n") || file.isOverdue {
                take(path, data)
                watch.finish(file)
            } else {
                watch.wait(for: file)
            }
        }
    }

    @Test("takes each file once it is complete", .timeLimit(.minutes(30)))
    func complete() async throws {
        let place = try TemporaryFolder()
        let folder = place.path
        try place.write("half", to: "a")
        try place.write("all\n", to: "b")
        var taken: [String] = []
        var options = FolderWatch.Options()
        options.grace = .seconds(10)
        let watch = FolderWatch(folders: [Array(folder.utf8)], options: options)
        await takeFiles(of: watch) { path, data in
            taken.append("\(path): \(data.count) bytes")
            if data.count == 4 { watch.stop() }
        }
        await watch.waitUntilStopped()
        #expect(taken == ["\(folder)/b: 4 bytes"])
    }
}
