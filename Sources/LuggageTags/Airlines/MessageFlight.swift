public import FoundationEssentials

/// A flight as a message names it: without a year.
public struct MessageFlight: Hashable, Sendable {
    /// The airline and the number, without zeros in front: `SK4416`.
    public let name: String
    /// The month, from 1.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int
    /// The airport to which, or from which, it flies, if the message tells it.
    public let airport: String?

    /// Names a flight.
    ///
    /// - Parameters:
    ///   - name: The airline and the number.
    ///   - month: The month, from 1.
    ///   - day: The day of the month, from 1.
    ///   - airport: The airport to which, or from which, it flies.
    public init(name: String, month: Int, day: Int, airport: String?) {
        (self.name, self.month, self.day, self.airport) = (name, month, day, airport)
    }

    static let months = [
        "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
    ]

    /// Reads an element such as `.F/SK4416/05FEB/TOS/C`.
    init(_ element: MessageElements.Element) throws(MessageFlaw) {
        guard let text = element.field(0), let name = Self.name(text) else {
            throw MessageFlaw("a flight such as SK4416 is expected", at: element.line)
        }
        // Some write a blank between day and month.
        let date = (element.field(1) ?? "").filter { $0 != " " }
        guard date.utf8.count == 5, let day = DecimalNumber.value(ofDigits: date.utf8.prefix(2)),
            let month = Self.months.firstIndex(of: String(date.suffix(3))),
            CalendarDay(year: 2000, month: month + 1, day: Int(day)) != nil
        else { throw MessageFlaw("a day such as 05FEB is expected", at: element.line) }
        let airport = element.field(2)
        if let airport, !airport.isAirport {
            throw MessageFlaw("the three letters of an airport are expected", at: element.line)
        }
        self.init(name: name, month: month + 1, day: Int(day), airport: airport)
    }

    /// Reads a name: an airline of two or three letters and digits, up to four digits, and perhaps a letter.
    private static func name(_ text: String) -> String? {
        guard text.utf8.count <= 8, text.allSatisfy({ $0.isUppercase || $0.isNumber }) else {
            return nil
        }
        // An airline of two characters may have a digit; one of three is letters.
        let hasThree = text.prefix(3).allSatisfy(\.isLetter)
        let carrier = text.prefix(hasThree ? 3 : 2)
        let number = text.dropFirst(carrier.count)
        let digits = number.prefix { $0.isNumber }
        guard carrier.contains(where: \.isLetter), (1...4).contains(digits.count),
            number.count - digits.count <= 1
        else { return nil }
        return Flight.name(String(carrier), String(number))
    }

    /// Finds the day in the year in which it is nearest to a moment.
    ///
    /// - Parameter date: When the message was sent or read.
    /// - Returns: The day, as `2026-02-05`; nil for a 29th of February where no year nearby has it.
    public func day(nearest date: Date) -> String? {
        CalendarDay(month: month, day: day, nearest: date)?.description
    }

    /// The day as messages write it: `05FEB`.
    var dayText: String { day.digits(2) + Self.months[month - 1] }
}

extension String {
    /// Whether it is three capital letters, as the code of an airport is.
    package var isAirport: Bool {
        utf8.count == 3 && utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}
