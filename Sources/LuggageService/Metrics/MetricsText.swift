/// Metrics in the text format of Prometheus, version 0.0.4.
struct MetricsText {
    private(set) var text = ""

    /// Adds counters, and announces them even if nothing was counted yet.
    mutating func add(
        _ name: String,
        _ help: String,
        _ counter: LabelledCounter,
        labels: [String]
    ) {
        begin(name, help, "counter")
        let rows = counter.counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (values, count) in rows {
            let pairs = zip(labels, values).map { "\($0)=\"\(Self.escaped($1))\"" }
            text += "\(name){\(pairs.joined(separator: ","))} \(count)\n"
        }
    }

    mutating func add(_ name: String, _ help: String, _ histogram: Histogram) {
        begin(name, help, "histogram")
        for (bound, count) in zip(Histogram.bounds, histogram.counts) {
            text += "\(name)_bucket{le=\"\(bound)\"} \(count)\n"
        }
        text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n"
        text += "\(name)_sum \(histogram.sum)\n"
        text += "\(name)_count \(histogram.count)\n"
    }

    /// Adds a gauge.
    mutating func add(_ name: String, _ help: String, _ value: Double) {
        begin(name, help, "gauge")
        text += "\(name) \(value)\n"
    }

    private mutating func begin(_ name: String, _ help: String, _ type: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// A label's value, escaped so that nothing in it ends the value or the line.
    private static func escaped(_ value: String) -> String {
        value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
