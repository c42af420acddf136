internal import FoundationEssentials

/// The metrics themselves, and their text.
struct MetricFigures {
    var startedAt: Date
    var pictures = LabelledCounter()
    var tags = LabelledCounter()
    var failures = LabelledCounter()
    var hooks = LabelledCounter()
    var reading = Histogram()
    var filing = Histogram()
    var pending = 0
    var isPaused = false
    var lastFiled: Date?

    var text: String {
        var text = MetricsText()
        text.add(
            "luggage_pictures_total",
            "Pictures moved to where they belong.",
            pictures,
            labels: ["disposition"]
        )
        text.add(
            "luggage_tags_total",
            "Tags that were read, and pictures without any.",
            tags,
            labels: ["outcome", "point"]
        )
        text.add(
            "luggage_failures_total",
            "Failures of pictures and tags.",
            failures,
            labels: ["reason"]
        )
        text.add("luggage_hooks_total", "Runs of the hook.", hooks, labels: ["result"])
        text.add("luggage_reading_seconds", "Time that reading a picture took.", reading)
        text.add(
            "luggage_filing_seconds",
            "Time from a complete picture to its place among the filed ones.",
            filing
        )
        text.add("luggage_pending_pictures", "Pictures that wait to be filed.", Double(pending))
        text.add("luggage_paused", "Whether filing pauses.", isPaused ? 1 : 0)
        if let lastFiled {
            text.add(
                "luggage_last_filed_timestamp_seconds",
                "When a picture was moved last.",
                lastFiled.timeIntervalSince1970
            )
        }
        text.add(
            "luggage_start_time_seconds",
            "When the service started.",
            startedAt.timeIntervalSince1970
        )
        return text.text
    }
}

/// A counter for each combination of some labels' values.
struct LabelledCounter {
    /// The most combinations that are told apart.
    ///
    /// Labels come from a few fixed words; a bug there must not fill the monitoring's memory.
    static let limit = 200

    private(set) var counts: [[String]: Int] = [:]

    mutating func count(_ values: [String]) {
        let isKnown = counts[values] != nil || counts.count < Self.limit
        counts[isKnown ? values : values.map { _ in "other" }, default: 0] += 1
    }
}

/// A histogram of durations.
struct Histogram {
    /// The upper bounds in seconds: most pictures take milliseconds, a hopeless one seconds.
    static let bounds: [Double] = [
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
    ]

    /// How many durations were at most each bound.
    private(set) var counts = Array(repeating: 0, count: bounds.count)
    private(set) var count = 0
    private(set) var sum = 0.0

    mutating func observe(_ duration: Duration) {
        let seconds = max(0, duration / .seconds(1))
        count += 1
        sum += seconds
        for (index, bound) in Self.bounds.enumerated() where seconds <= bound {
            counts[index] += 1
        }
    }
}
