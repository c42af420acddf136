internal import ArgumentParser
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

extension ExportCommand {
    /// Whether it writes messages and not records.
    var writesMessages: Bool { format == .bpm }

    /// Refuses options that are for messages alone, or not for messages.
    func checkMessages() throws {
        guard writesMessages else {
            if airport != nil {
                throw ValidationError("--airport is for messages: add --format bpm")
            }
            if times.since != nil || times.until != nil {
                throw ValidationError(
                    "--since and --until are for messages: a file of records holds all that is known"
                )
            }
            return
        }
        guard let airport, airport.isAirport else {
            throw ValidationError(
                "a message names the airport of its stations: add --airport with three capital letters, as MUC"
            )
        }
        if records != .all || !identifier.isEmpty || fileVersion != .facts {
            throw ValidationError(
                "messages are of all scans at a station or a point: leave out --records, --identifier "
                    + "and --file-version"
            )
        }
    }

    /// Writes a message of each scan that counts of a bag with a licence plate.
    func exportMessages(
        _ container: PersistentContainer,
        to write: ([UInt8]) throws -> Void
    ) throws -> RecordCounts {
        var counts = RecordCounts()
        try container.read { context in
            var question = ScanQuestion()
            question.station = station
            question.period = times.period
            question.point = try storeOptions.settings.shared.point(asked: point, in: context)
            let bags = ProcessedBags(airport: airport ?? "", of: question)
            counts.scans = try bags.write(in: context, to: write)
        }
        if counts.scans == 0 {
            throw Failure(
                .incomplete,
                "no scan that fits these options is of a bag with a licence plate; `luggage history` "
                    + "shows the scans"
            )
        }
        return counts
    }
}
