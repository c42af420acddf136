/// A day in the present calendar, which it extends to all years.
///
/// Foundation's calendars take long, and use the Julian calendar for early years.
struct CalendarDay: CustomStringConvertible {
    /// Its number since the first day of 1970.
    let number: Int
    let year: Int
    let month: Int
    let day: Int

    /// Finds a day by its number since the first day of 1970.
    init(number: Int) {
        self.number = number
        // Years begin in March, so that the day that only some of them have is the last one.
        let sinceYear0 = number + 719_468
        let era = (sinceYear0 >= 0 ? sinceYear0 : sinceYear0 - 146_096) / 146_097
        let ofEra = sinceYear0 - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthSinceMarch = (5 * ofYear + 2) / 153
        year = era * 400 + yearOfEra + (monthSinceMarch >= 10 ? 1 : 0)
        month = monthSinceMarch + (monthSinceMarch < 10 ? 3 : -9)
        day = ofYear - (153 * monthSinceMarch + 2) / 5 + 1
    }

    /// Finds a day by its date in the years from 1 on; nil if there is no such day.
    init?(year: Int, month: Int, day: Int) {
        guard year > 0, (1...12).contains(month), (1...31).contains(day) else { return nil }
        let yearFromMarch = month > 2 ? year : year - 1
        let era = yearFromMarch / 400
        let yearOfEra = yearFromMarch - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let ofEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear
        self.init(number: era * 146_097 + ofEra - 719_468)
        // The 30th of February is another day.
        guard self.month == month && self.day == day else { return nil }
    }

    /// The date: `2026-07-01`.
    var description: String { "\(year.digits(4))-\(month.digits(2))-\(day.digits(2))" }
}

extension Int {
    /// The digits, with zeros in front.
    func digits(_ width: Int) -> String {
        let digits = "\(self)"
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}
