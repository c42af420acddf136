public import FoundationEssentials
public import ObjectStore

extension Alarm {
    /// The alarms that are open at a moment, also those that somebody has taken note of.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - bounds: From when on something is an alarm.
    ///   - context: The context to read in, best a context of `PersistentContainer.read(_:)`, which reads
    ///     one state.
    /// - Returns: The alarms, in the order in which they began.
    /// - Throws: `StoreError`.
    public static func open(
        at now: Date,
        within bounds: AlarmBounds,
        in context: ManagedObjectContext
    ) throws -> [Alarm] {
        var search = AlarmSearch(context: context, now: now, bounds: bounds)
        try search.addMisrouted()
        try search.addOverdue()
        try search.addIncomplete()
        try search.addReadRates()
        try search.addSilent()
        let notes = try context.notes(since: search.found.map(\.key.occasion).min())
        return search.found.map { alarm in
            var alarm = alarm
            alarm.note = notes[alarm.id]
            return alarm
        }.sorted { ($0.since, $0.id.uuidString) < ($1.since, $1.id.uuidString) }
    }
}

/// Looks for alarms; each question reads what may be one, and no more.
private struct AlarmSearch {
    let context: ManagedObjectContext
    let now: Date
    let bounds: AlarmBounds
    private(set) var found: [Alarm] = []

    init(context: ManagedObjectContext, now: Date, bounds: AlarmBounds) {
        (self.context, self.now, self.bounds) = (context, now, bounds)
    }

    /// What has been an alarm since then is none any more.
    private var horizon: Date { now - AlarmBounds.memory }

    // MARK: Bags

    mutating func addMisrouted() throws {
        var reading = LuggageReportReading(context)
        // A range without an end would be searched through all bags: SQLite takes it for a large one.
        let request = FetchRequest(Luggage.self).where(\.misroutedAt, isGreaterThan: horizon)
            .where(\.misroutedAt, isLessThan: now)
        try context.forEachBatch(ofSnapshots: request) { bags in
            for bag in try reading.reports(bags) {
                guard let seen = bag.misroutedAt else { continue }
                found.append(
                    Alarm(.init(.misrouted, bag: bag.id, occasion: seen), since: seen, bag: bag)
                )
            }
        }
    }

    mutating func addOverdue() throws {
        guard let bound = bounds.overdue else { return }
        var question = LuggageQuestion()
        question.isMissing = true
        question.period = Period(since: horizon - bound, until: now - bound)
        try question.forEachBatch(in: context) { bags in
            for bag in bags {
                guard let departed = bag.departedAt, departed + bound > horizon else { continue }
                let key = Alarm.Key(.overdue, bag: bag.id, occasion: departed)
                found.append(Alarm(key, since: departed + bound, bag: bag))
            }
        }
    }

    // MARK: Lists

    /// Bags that have not passed somewhere.
    private struct Stop {
        var point: Point
        var place: String?
        var trip: String?
        var date: String?
        var awaited: Set<UUID> = []
    }

    mutating func addIncomplete() throws {
        // Only what lists expect is current; a condition on the kind would hide the better index.
        let unmet = FetchRequest(Correction.self).where(\.dueAt, isGreaterThan: horizon)
            .where(\.dueAt, isLessThan: now).where(\.metAt, isMissing: true)
            .where(\.isCurrent, is: true)
        var stops: [Expectation.Key: Stop] = [:]
        for correction in try context.fetch(unmet) {
            guard let expectation = Expectation(correction) else { continue }
            let key = expectation.key
            var stop = stops[key] ?? Stop(point: key.point, date: key.date)
            // Of several spellings the same in every record.
            stop.place = [stop.place, correction.place].compactMap(\.self).min()
            stop.trip = [stop.trip, correction.trip].compactMap(\.self).min()
            stop.awaited.insert(correction.identifier)
            stops[key] = stop
        }
        for (key, stop) in stops {
            let (expected, due) = try whole(of: key)
            // Some of its bags have more time.
            guard let due, due < now else { continue }
            var told = Alarm.Key(.incomplete, occasion: due)
            (told.point, told.place) = (stop.point, stop.place)
            (told.trip, told.date) = (stop.trip, stop.date)
            var alarm = Alarm(told, since: due)
            (alarm.count, alarm.whole) = (stop.awaited.count, expected)
            found.append(alarm)
        }
    }

    /// How many bags are to pass somewhere, and the last time by which.
    private func whole(of key: Expectation.Key) throws -> (expected: Int, due: Date?) {
        let counts = try context.counts(
            of: FetchRequest(Correction.self).expecting(key),
            by: \.point,
            \.place,
            \.tripKey,
            \.tripDate,
            \.dueAt
        )
        var (expected, last) = (0, Date?.none)
        for ((point, place, trip, date, due), count) in counts
        where point == key.point && place?.nameKey == key.place && trip == key.trip
            && date == key.date
        {
            expected += count
            last = [last, due].compactMap(\.self).max()
        }
        return (expected, last)
    }

    // MARK: Stations

    /// What stations have read in an hour.
    private struct Reading {
        var read = 0
        var scans = 0
    }

    mutating func addReadRates() throws {
        guard let bound = bounds.readRate else { return }
        /// Whether it was; nil if that hour says nothing, because too little was scanned.
        func isBad(_ reading: Reading?) -> Bool? {
            guard let reading else { return false }
            if reading.scans < AlarmBounds.leastScans { return nil }
            return Double(reading.read) < bound * Double(reading.scans)
        }
        let hour: TimeInterval = 3600
        let last = Date(
            timeIntervalSince1970: (now.timeIntervalSince1970 / hour).rounded(.down) * hour - hour
        )
        let readings = try readings(from: last, to: last + hour)
        // Which hour was the first of those that were bad, with no good one or rest between?
        var begun = readings.filter { isBad($0.value) == true }.mapValues { _ in last }
        var (searched, time) = (Set(begun.keys), last)
        // One that began earlier is none any more.
        while !searched.isEmpty, time + hour > horizon {
            time -= hour
            let before = try self.readings(from: time, to: time + hour)
            searched = searched.filter { isBad(before[$0]) != false }
            for station in searched where isBad(before[station]) == true { begun[station] = time }
        }
        for (station, first) in begun where first + hour > horizon {
            var alarm = Alarm(
                .init(.readRate, station: station, occasion: first),
                since: first + hour
            )
            (alarm.count, alarm.whole) = (readings[station]?.read, readings[station]?.scans)
            found.append(alarm)
        }
    }

    /// What readers have read at each station; typed tags were not read by any.
    private func readings(from start: Date, to end: Date) throws -> [String: Reading] {
        var question = ScanQuestion()
        question.period = Period(since: start, until: end)
        question.leavesOutUndone = true
        var readings: [String: Reading] = [:]
        // A condition on typed tags would hide the index of times.
        let counts = try context.counts(
            of: question.request,
            by: \.station,
            \.outcome,
            \.imageName,
            \.imageDigest
        )
        for ((station, outcome, name, digest), count) in counts
        where name != Scan.handName || digest != nil {
            readings[station, default: Reading()].scans += count
            if outcome.isFiled { readings[station]?.read += count }
        }
        return readings
    }

    mutating func addSilent() throws {
        guard let bound = bounds.silence else { return }
        var station: String?
        while let next = try context.firstStation(after: station) {
            station = next
            // Who types tags by hand may do so because the reader is silent.
            let scans = FetchRequest(Scan.self).where(\.station, is: next).notTyped
                .where(\.scannedAt, isGreaterThan: horizon - bound)
                .sorted(by: \.scannedAt, .descending).limited(to: 1)
            guard let last = try context.fetch(scans).first?.scannedAt else { continue }
            let since = last + bound
            if since < now, since > horizon {
                let key = Alarm.Key(.silence, station: next, occasion: last)
                found.append(Alarm(key, since: since))
            }
        }
    }
}

extension ManagedObjectContext {
    /// The name of a station that comes next in the order of the store; nil if there is none.
    ///
    /// There are few stations, and the index of their scans leads from one to the next.
    fileprivate func firstStation(after station: String?) throws -> String? {
        let all = FetchRequest(Scan.self)
        let next = station.map { all.where(\.station, isGreaterThan: $0) } ?? all
        return try minimum(of: \.station, next)
    }
}

extension FetchRequest<Correction> {
    /// What is current and may have a key: all that has it, and what differs from it in the point or the place.
    func expecting(_ key: Expectation.Key) -> Self {
        let current = self.where(\.isCurrent, is: true)
        // One condition for the index that holds the fewest others; what else tells lists apart comes after.
        if let due = key.due { return current.where(\.dueAt, is: due) }
        return current.where(\.tripKey, is: key.trip).where(\.tripDate, is: key.date)
    }
}
