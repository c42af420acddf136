internal import ObjectStore

/// Reads the records of a store page by page, with one page in memory at a time.
struct RecordPages {
    let context: ManagedObjectContext
    let selection: ExportSelection

    /// How many objects are in memory at a time.
    private static let size = 500

    /// An upper bound of the number of records.
    func total() throws -> Int {
        var total = 0
        for kind in selection.kinds {
            switch kind {
            case .bag: total += try context.count(FetchRequest(Luggage.self))
            case .passenger: total += try context.count(FetchRequest<Passenger>.withoutBags)
            case .scan: total += try context.count(FetchRequest(Scan.self))
            case .fact: total += try context.count(FetchRequest(Correction.self))
            }
        }
        return total
    }

    /// Passes each record of a kind to a closure, in an order that depends only on contents.
    func forEach(_ kind: RecordKind, _ body: (ExchangeRecord) throws -> Void) throws {
        switch kind {
        case .bag: try forEachPageOfBags { try bags($0, body) }
        case .passenger: try passengers(body)
        case .scan:
            try forEachPageOfBags { page in for luggage in page { try scans(of: luggage, body) } }
            if selection.identifierPrefixes.isEmpty { try scansWithoutBag(body) }
        case .fact: try facts(body)
        }
    }

    // MARK: Bags

    private func forEachPageOfBags(_ body: ([Luggage]) throws -> Void) throws {
        for prefix in selection.distinctPrefixes {
            var request = FetchRequest(Luggage.self)
            if !prefix.isEmpty { request = request.where(\.identifier, hasPrefix: prefix) }
            try forEachPage(of: request.sorted(by: \.identifier), by: \.identifier, body)
        }
    }

    private func bags(_ page: [Luggage], _ body: (ExchangeRecord) throws -> Void) throws {
        for luggage in page {
            if try !isSelected(luggage) { continue }
            try body(ExchangeRecord.bag(TagContents(luggage)).asFact)
        }
    }

    /// Whether one of its scans is at the selected station and point.
    private func isSelected(_ luggage: Luggage) throws -> Bool {
        if !selection.isByScans { return true }
        return try context.exists(selected(FetchRequest(Scan.self)).where(\.luggage, is: luggage))
    }

    // MARK: Passengers

    private func passengers(_ body: (ExchangeRecord) throws -> Void) throws {
        let request = FetchRequest<Passenger>.withoutBags.sorted(by: \.familyName)
            .sorted(by: \.givenName)
        try forEachPage(of: request, by: \.familyName) { page in
            for passenger in page { try body(.passenger(passenger.name)) }
        }
    }

    // MARK: Scans

    private func selected(_ request: FetchRequest<Scan>) -> FetchRequest<Scan> {
        var request = request
        if selection.version == .states {
            // Files of version 1 cannot tell that a scan does not count.
            request = request.notUndone.where(\.isRepeat, is: false)
        } else if selection.records == .scans {
            request = request.notUndone
        }
        if let station = selection.station { request = request.at(station) }
        if let point = selection.point { request = request.where(\.point, is: point) }
        return request
    }

    private func ordered(_ request: FetchRequest<Scan>) -> FetchRequest<Scan> {
        if selection.version == .facts {
            return request.sorted(by: \.scannedAt).sorted(by: \.identifier)
        }
        return request.sorted(by: \.scannedAt).sorted(by: \.imageDigest).sorted(by: \.station)
            .sorted(by: \.point).sorted(by: \.payload).sorted(by: \.reason)
            .sorted(by: \.imageName).sorted(by: \.outcome).sorted(by: \.role)
    }

    private func scans(of luggage: Luggage, _ body: (ExchangeRecord) throws -> Void) throws {
        var copies = CopyNumbers()
        var done = 0
        while true {
            let request = ordered(selected(FetchRequest(Scan.self)))
                .where(\.luggage, is: luggage).skipping(done).limited(to: Self.size)
            let page = try context.fetch(request)
            for scan in page { try body(record(of: scan, &copies)) }
            done += page.count
            if page.count < Self.size { return }
        }
    }

    private func scansWithoutBag(_ body: (ExchangeRecord) throws -> Void) throws {
        var copies = CopyNumbers()
        let request = ordered(selected(FetchRequest(Scan.self)).where(\.luggage, is: nil))
        try forEachPage(of: request, by: \.scannedAt) { page in
            for scan in page { try body(record(of: scan, &copies)) }
        }
    }

    private func record(of scan: Scan, _ copies: inout CopyNumbers) throws -> ExchangeRecord {
        switch selection.version {
        case .states: .scan(copies.numbered(ScanRecord(scan)))
        case .facts: .scan(try ScanRecord(whole: scan))
        }
    }

    // MARK: Other facts

    private func ordered(_ request: FetchRequest<Correction>) -> FetchRequest<Correction> {
        request.sorted(by: \.identifier).sorted(by: \.madeAt).sorted(by: \.fact)
    }

    private func give(
        _ corrections: [Correction],
        _ body: (ExchangeRecord) throws -> Void
    ) throws {
        for correction in corrections where !Correction.Kind.local.contains(correction.kind) {
            try body(.fact(FactRecord(correction)))
        }
    }

    private func facts(_ body: (ExchangeRecord) throws -> Void) throws {
        if selection.isByScans {
            return try forEachPageOfBags { page in
                for luggage in page {
                    if try !isSelected(luggage) { continue }
                    try give(context.fetch(ordered(.about(luggage))), body)
                }
            }
        }
        for prefix in selection.distinctPrefixes {
            var request = FetchRequest(Correction.self)
            if !prefix.isEmpty { request = request.where(\.identifier, hasPrefix: prefix) }
            try forEachPage(of: ordered(request), by: \.identifier) { try give($0, body) }
        }
    }

    // MARK: Pages

    /// Passes all objects of a request to a closure, page by page.
    ///
    /// - Parameters:
    ///   - request: The objects, sorted by an attribute.
    ///   - key: That attribute, whose values several objects may share.
    ///   - body: Takes a page, which is never empty; the context then forgets its objects.
    /// - Throws: `StoreError`, or the error of `body`.
    private func forEachPage<Object: ManagedObject, Key: AttributeType>(
        of request: FetchRequest<Object>,
        by key: KeyPath<Object, Key>,
        _ body: ([Object]) throws -> Void
    ) throws {
        var last: Key?
        /// How many objects with the last key have come.
        var done = 0
        while true {
            let rest = last.map { request.where(key, isAtLeast: $0) } ?? request
            let page = try context.fetch(rest.skipping(done).limited(to: Self.size))
            guard let end = page.last?[keyPath: key] else { return }
            // Texts that are equal in Swift may differ in the order of the store.
            let count = page.count { $0[keyPath: key].attributeValue == end.attributeValue }
            done = count + (end.attributeValue == last?.attributeValue ? done : 0)
            last = end
            try body(page)
            context.reset()
        }
    }
}

/// Numbers equal scans, which come one after the other.
private struct CopyNumbers {
    private var last: ScanRecord?

    mutating func numbered(_ scan: ScanRecord) -> ScanRecord {
        var scan = scan
        if var equal = last {
            scan.copy = equal.copy
            equal.copy = scan.copy
            scan.copy = equal == scan ? equal.copy + 1 : 1
        }
        last = scan
        return scan
    }
}
