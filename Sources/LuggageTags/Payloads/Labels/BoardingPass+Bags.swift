internal import FoundationEssentials

extension BoardingPass {
    /// What the pass says of each of its bags.
    ///
    /// The route is from the first departure to the last arrival, because a bag that is checked through is
    /// not seen in between. The pass has no year.
    ///
    /// - Parameter date: When the pass was scanned, by which the year is found; without it, there is no
    ///   date.
    /// - Returns: One for each of ``plates``.
    func bags(scannedAt date: Date?) -> [LabelContents] {
        plates.map { plate in
            LabelContents(
                id: plate.identifier,
                owner: owner,
                from: legs.first?.from,
                to: legs.last?.to,
                trip: legs.first?.flight,
                date: date.flatMap { date in
                    legs.first?.day.flatMap { CalendarDay(ofYear: $0, nearest: date) }
                }?.description
            )
        }
    }

    /// More bags than a passenger has: so many are a misprint, and each would be missing from then on.
    private static let mostOfPassenger = 99

    /// Why none of its bags can be filed; nil if they can.
    var error: TagError? {
        if plates.isEmpty {
            return TagError(
                .domain,
                .noBag,
                "the boarding pass names no bag; scan the tag on the bag"
            )
        }
        if plates.count > Self.mostOfPassenger {
            return TagError(
                .domain,
                .outOfRange,
                "the boarding pass names \(plates.count) bags, and no passenger has so many; scan the "
                    + "tags on the bags"
            )
        }
        return nil
    }
}

extension CalendarDay {
    /// The day that contains a moment, in the time of Greenwich.
    init(_ date: Date) {
        self.init(number: Int((Self.seconds(of: date) / 86_400).rounded(.down)))
    }

    /// The second of the day that contains a moment.
    static func second(at date: Date) -> Int {
        Int(seconds(of: date).rounded(.down)) - CalendarDay(date).number * 86_400
    }

    /// The seconds since 1970; beyond what calendars have, the first or the last that they have.
    private static func seconds(of date: Date) -> Double {
        min(max(date.timeIntervalSince1970, -6e10), 2.5e11)
    }

    /// Finds the day with a number in its year, from 1, in the year in which it is nearest to a moment; nil
    /// for the day 366 where no year nearby has it.
    init?(ofYear number: Int, nearest date: Date) {
        let today = CalendarDay(date)
        self.init(nearest: today) { year in
            guard let first = CalendarDay(year: year, month: 1, day: 1) else { return nil }
            let day = CalendarDay(number: first.number + number - 1)
            return day.year == year ? day : nil
        }
    }

    /// Finds the day with a date without a year, in the year in which it is nearest to a moment.
    init?(month: Int, day: Int, nearest date: Date) {
        self.init(nearest: CalendarDay(date)) { CalendarDay(year: $0, month: month, day: day) }
    }

    private init?(nearest today: CalendarDay, _ day: (Int) -> CalendarDay?) {
        let days = (today.year - 1...today.year + 1).compactMap(day)
        guard
            let nearest = days.min(by: {
                abs($0.number - today.number) < abs($1.number - today.number)
            })
        else { return nil }
        self = nearest
    }
}
