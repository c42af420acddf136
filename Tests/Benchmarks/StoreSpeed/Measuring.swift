internal import Foundation

/// Runs several things in turn, so that whatever else the machine does strikes all of them alike.
struct Turns {
    let rounds: Int

    /// The seconds that one unit of each takes: the median of all rounds.
    ///
    /// - Parameters:
    ///   - units: How many units of work each does in a round.
    ///   - bodies: The things; each gets the number of the round.
    /// - Returns: A time for each body.
    /// - Throws: What a body throws.
    func medians(
        units: Int,
        _ bodies: (Int) throws -> Void...
    ) throws -> [Double] {
        var times = bodies.map { _ in [Double]() }
        for round in 0..<rounds {
            // Another one begins each time, so that none always comes after the same other.
            for turn in bodies.indices {
                let index = (turn + round) % bodies.count
                let body = bodies[index]
                let started = ContinuousClock.now
                try body(round)
                let duration = ContinuousClock.now - started
                times[index].append(duration / .seconds(1) / Double(units))
            }
        }
        return times.map { $0.sorted()[$0.count / 2] }
    }
}

/// What was measured, as one line of a table.
struct Line {
    /// What a ratio should be.
    enum Goal {
        case none
        case atLeast(Double)
        case atMost(Double)
    }

    let name: String
    let ours: Double
    let other: Double
    let ratio: Double
    var goal = Goal.none

    static func printHead(_ title: String, ours: String = "objects", other: String) {
        let columns = ["\(ours), us", "\(other), us", "ratio", "goal"].map(padded).joined()
        Swift.print("\n" + title.padding(toLength: 44, withPad: " ", startingAt: 0) + columns)
    }

    func print() {
        let goal =
            switch goal {
            case .none: ""
            case .atLeast(let bound): ratio >= bound ? "\(bound) ok" : "\(bound) MISSED"
            case .atMost(let bound): ratio <= bound ? "\(bound) ok" : "\(bound) MISSED"
            }
        let figures = [ours, other].map { String(format: "%.2f", $0 * 1e6) }
        let columns = figures + [String(format: "%.2f", ratio), goal]
        Swift.print(
            name.padding(toLength: 44, withPad: " ", startingAt: 0)
                + columns.map(Self.padded).joined()
        )
    }

    private static func padded(_ text: String) -> String {
        String(repeating: " ", count: max(1, 14 - text.count)) + text
    }
}
