import Foundation
import LuggageTags
import ObjectStore
import SQLiteStore
import TagReading
import ZBarTagReader

/// The programs that README and the guide of LuggageTags show.
///
/// They are compiled and not run, because they name files of their users.
enum LuggageTagsExamples {
    static func readme() async throws {
        let store = try SQLiteStore(path: "luggage.sqlite")
        let container = try PersistentContainer(model: LuggageModel.make(), store: store)

        let image = try TagImage(path: "tag.png")
        let picture = await ReadPicture(image, reader: ZBarTagReader(), at: .origin, date: Date())
        for report in try ScanRecorder(container: container).record(picture) {
            print(report.outcome, report.luggage?.id.uuidString ?? "-", report.error?.message ?? "")
        }
    }

    static func scanning() async throws {
        let store = try SQLiteStore(path: "luggage.sqlite")
        let container = try PersistentContainer(model: LuggageModel.make(), store: store)
        let context = container.makeContext(mergePolicy: .mergeByPropertyObjectTrump)

        let pool = ReaderPool(executable: try ReaderPool.locateExecutable())
        let scanner = LuggageTagScanner(reader: pool)
        for tag in try await scanner.scan(
            image: TagImage(path: "tag.png"),
            at: .origin,
            in: context
        ) {
            switch tag {
            case .success(let luggage):
                print(luggage.identifier, luggage.owner?.name.description ?? "-")
            case .failure(let error): print(error.code, error.message)
            }
        }
        try await context.save()
    }

    static func expected(bytes: [UInt8], plates: inout [LicencePlate]) throws {
        for message in BaggageSourceMessage.messages(in: bytes) {
            let tags = try message.get().tags(readAt: Date())
            plates += try tags.compactMap {
                LicencePlate(try TagDecoder().contents(of: $0).identifier)
            }
        }
    }

    static func custody(container: PersistentContainer, pool: ReaderPool) async throws {
        let picture = await ReadPicture(
            try TagImage(path: "tag.png"),
            reader: pool,
            at: .destination,
            station: "JFK-4",
            date: Date()
        )
        let recorder = ScanRecorder(container: container, author: "anna")
        for report in try recorder.record(picture) {
            print(report.outcome, report.luggage?.id.uuidString ?? "-", report.error?.reason ?? "")
        }
        let undone = try ChangeUndoing(container: container)
            .undo(by: Responsibility(author: "anna", reason: "wrong belt"))
        print(undone.number, undone.picture ?? "-")
    }

    static func encoding(bag: Luggage) throws -> [UInt8] {
        let encoder = TagEncoder(
            format: .messagePack,
            ownerForm: .text,
            weightForm: .text(.kilograms)
        )
        let payload = try encoder.encode(bag)
        return payload
    }
}
