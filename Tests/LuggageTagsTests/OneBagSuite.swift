import Foundation
import LuggageTags
import ObjectStore
import Testing

/// A suite about what a record says of one bag.
protocol OneBagSuite {
    /// The record, which is empty at first.
    var container: PersistentContainer { get }
}

extension OneBagSuite {
    static var bag: UUID { UUID(uuidString: "F432BDB8-D84F-4461-8362-AFF89F6C493E") ?? UUID() }
    static var anna: Responsibility { Responsibility(author: "anna", reason: "wrong belt") }
    static var hour: Double { 3600 }

    var recorder: ScanRecorder { ScanRecorder(container: container) }
    var undoing: ChangeUndoing { ChangeUndoing(container: container) }

    /// Scans a tag, at an hour of a day.
    @discardableResult
    func scan(
        _ name: String,
        _ hours: Double,
        _ weight: String? = "42",
        at point: Point = .origin
    ) throws -> Outcome? {
        let picture = ReadPicture.of(
            payload(weight: weight),
            name: name,
            at: point,
            second: 1_000_000 + hours * Self.hour
        )
        return try recorder.record(picture).first?.outcome
    }

    /// Puts a bag on record as older versions of the program did, without a fact that tells it.
    func insertOlderBag(
        into other: PersistentContainer? = nil,
        of owner: (givenName: String, familyName: String)? = nil,
        arrived hours: Double? = nil
    ) throws {
        let context = (other ?? container).makeContext()
        let luggage = Luggage(context: context)
        luggage.identifier = Self.bag
        luggage.weight = 7
        luggage.owner = owner.map { name in
            let passenger = Passenger(context: context)
            (passenger.givenName, passenger.familyName) = name
            return passenger
        }
        luggage.departedAt = Date(timeIntervalSince1970: 1_000_000)
        luggage.arrivedAt = hours.map { Date(timeIntervalSince1970: 1_000_000 + $0 * Self.hour) }
        try context.save()
    }

    /// Takes back what a picture has told.
    func undo(_ picture: String) throws {
        let change = try #require(
            try undoing.changes(limit: 100).first { $0.picture == picture }
        )
        _ = try undoing.undo(change.number, by: Self.anna)
    }

    /// Takes back what somebody has corrected.
    func undoEdit() throws {
        let change = try #require(try undoing.changes(limit: 100).first { $0.kind == .edit })
        _ = try undoing.undo(change.number, by: Self.anna)
    }

    /// Corrects the weight.
    func edit(_ weight: Float, now: Date = Date()) throws {
        let corrector = RecordCorrector(container: container, now: { now })
        _ = try corrector.edit(Self.bag, BagEdit(weight: weight), by: Self.anna)
    }

    /// The weight, and the hours of departure and arrival.
    func record() throws -> String? {
        try Bag.all(in: container).first.map { bag in
            func hours(_ second: Double?) -> String {
                second.map { "\(($0 - 1_000_000) / Self.hour)" } ?? "never"
            }
            return
                "\(bag.weight.map { "\($0) lb" } ?? "no weight"), \(hours(bag.departed)) to \(hours(bag.arrived))"
        }
    }
}
