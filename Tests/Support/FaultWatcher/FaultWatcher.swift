import CFaultInjection
import Foundation
import Logging
import LuggageService
import LuggageTags
import ObjectStore
import SQLiteStore
import SystemSupport
import TagReading
import ZBarTagReader

/// Files the pictures in a folder once, while one call of the system fails or kills the process, and
/// prints how many calls there were.
@main
struct FaultWatcher {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let call = UInt32(arguments[3]),
            let number = Int32(arguments[4]), let error = Int32(arguments[5])
        else {
            print("usage: fault-watcher FOLDER STORE CALL NUMBER ERROR")
            exit(64)
        }
        let configuration = WatchConfiguration(folder: arguments[1])
        let store = arguments[2]
        // Everything that the service touches is below this folder; the name lasts.
        let base = URL(fileURLWithPath: store).deletingLastPathComponent().lastPathComponent
        let name = unsafe strdup(base)
        unsafe fault_injection_start(FaultInjectionCall(rawValue: call), name, number, 1, error)
        do {
            let service = try WatchService(
                WatchService.Parts(
                    ServiceParts(
                        configuration: configuration,
                        reload: { () throws(ConfigurationError) in configuration },
                        openStore: {
                            try PersistentContainer(
                                model: LuggageModel.make(),
                                store: SQLiteStore(path: store)
                            )
                        },
                        log: ServiceLog(format: .plain, level: .warning, environment: [:]),
                        environment: [:]
                    ),
                    reader: ZBarTagReader(),
                    isOnce: true
                )
            )
            await service.run(until: StopRequest())
        } catch {
            // A failure at the start is one of which the operator is told.
            print("failed \(error)")
        }
        print("swept \(fault_injection_stop())")
    }
}
