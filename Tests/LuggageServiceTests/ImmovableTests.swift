import CFaultInjection
import Foundation
import Testing

@testable import LuggageService

/// Within that suite because there is one fault at a time in a process.
extension StuckPictureTests {
    @Suite("A file system on which nothing can be moved safely")
    struct ImmovableTests {
        @Test("is refused at the start, and nothing is left there")
        func refused() async throws {
            let inbox = try WatchedInbox()
            // The text lasts as long as the process.
            let name = unsafe strdup(inbox.path)
            unsafe fault_injection_start(FaultInjectionRename, name, 1, .max / 2, EINVAL)
            defer { fault_injection_stop() }
            let error = #expect(throws: FilingError.self) {
                try FolderLayout(path: inbox.path).make()
            }
            fault_injection_stop()
            #expect(error?.isRefusal == true)
            #expect(error?.message.hasPrefix("the file system of \(inbox.path)/") == true)
            #expect(error?.message.hasSuffix("watch a folder on another one") == true)
            for place in ["origin", "destination", "processed", "duplicates", "failed"] {
                let path = "\(inbox.path)/\(place)"
                #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
            }
        }
    }
}
