public import FoundationEssentials

/// A baggage processed message (BPM): a bag was seen at a place.
///
/// It follows IATA's Recommended Practice 1745. It names no passenger.
public struct BaggageProcessedMessage: Hashable, Sendable {
    /// The airport, in three capital letters.
    public var airport: String
    /// The bag.
    public var plate: LicencePlate
    /// When it was seen.
    public var date: Date
    /// The station that saw it, as the scanner.
    public var station: String
    /// The point at which it was, as the place of reading.
    public var point: String
    /// The flight that it is to leave with, if it is known.
    public var flight: MessageFlight?
    /// Words for the airline, such as whether a person typed the plate.
    public var remarks: [String]

    /// Describes a sighting.
    ///
    /// - Parameters:
    ///   - airport: The airport, in three capital letters.
    ///   - plate: The bag.
    ///   - date: When it was seen.
    ///   - station: The station that saw it.
    ///   - point: The point at which it was.
    ///   - flight: The flight that it is to leave with.
    ///   - remarks: Words for the airline.
    public init(
        airport: String,
        plate: LicencePlate,
        date: Date,
        station: String,
        point: String,
        flight: MessageFlight? = nil,
        remarks: [String] = []
    ) {
        self.airport = airport
        self.plate = plate
        self.date = date
        self.station = station
        self.point = point
        self.flight = flight
        self.remarks = remarks
    }

    /// The message, whose lines end as networks want it: with a carriage return and a line feed.
    ///
    /// Times are those of Greenwich. Names are in capital letters and digits, at most eight; anything else
    /// in them is left out.
    public var text: String {
        let day = CalendarDay(date)
        let second = CalendarDay.second(at: date)
        let time =
            (second / 3600).digits(2) + (second / 60 % 60).digits(2) + (second % 60).digits(2)
        let flightDay = MessageFlight(name: "", month: day.month, day: day.day, airport: nil)
            .dayText
        var lines = [
            "BPM", ".V/1L\(airport)",
            ".J/R//\(station.asMessageWord)/\(flightDay)/\(time)Z/\(point.asMessageWord)",
        ]
        if let flight {
            let end = flight.airport.map { "/" + $0 } ?? ""
            lines.append(".F/\(flight.name)/\(flight.dayText)\(end)")
        }
        lines.append(".N/\(plate)001")
        lines += remarks.map { ".R/\($0.asMessageWord)" }
        return (lines + ["ENDBPM"]).map { $0 + "\r\n" }.joined()
    }
}

extension String {
    /// The capital letters and digits of a name, at most eight.
    fileprivate var asMessageWord: String {
        String(uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(8))
    }
}
