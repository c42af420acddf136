/// Measures the object store, in turn with a program in C that leaves the same rows in SQLite.
///
/// Machines are noisy: the ratios are what counts. Times are microseconds for one unit, medians of
/// all rounds.
///
/// Run with `BENCHMARK=1 swift run -c release store-speed [CASE…] [LARGEST [ROUNDS]]`. Cases are
/// `read`, `save`, `savers`, `fetch`, `pending`, `scans`, `objects`, `undo` and `costs`, all of them if none is
/// named. `read` and the last five go up to the LARGEST number of objects, 100,000 if not given.
@main
enum StoreSpeed {
    private enum Case: String, CaseIterable {
        case read, save, savers, fetch, pending, scans, objects, undo, costs
    }

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let numbers = arguments.compactMap { Int($0) }
        let names = arguments.filter { Int($0) == nil }
        let cases = names.compactMap(Case.init)
        guard cases.count == names.count else {
            print("cases: \(Case.allCases.map(\.rawValue).joined(separator: " "))")
            return
        }
        let largest = numbers.first ?? 100_000
        let turns = Turns(rounds: numbers.count > 1 ? numbers[1] : 5)
        for chosen in cases.isEmpty ? Case.allCases : cases {
            switch chosen {
            case .save: try SaveCases.run(turns)
            case .savers: try SaveCases.concurrent(turns)
            case .fetch: try FetchCase.run(turns)
            case .pending:
                try PendingCase.run(turns)
                try PendingCase.findOrMake(turns, upTo: largest)
            case .scans: try GrowthCases.perScan(turns, upTo: largest)
            case .objects: try GrowthCases.perObject(turns, upTo: largest)
            case .undo: try GrowthCases.undo(turns, upTo: largest)
            case .costs: try CostsCase.run(turns, upTo: largest)
            case .read: try ReadingCase.run(turns, upTo: largest)
            }
        }
    }
}
