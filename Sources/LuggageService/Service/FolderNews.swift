internal import FolderWatch
internal import Logging
internal import SystemSupport

/// News about folders: each thing is said once when it begins, and once when it is over.
struct FolderNews {
    private var troubles: [Int: String] = [:]
    private var replacements: [Int: WatchStatus.Replacements] = [:]
    private var skipped: WatchStatus.Skipped?

    /// What is wrong with the folders, in a sentence; nil if nothing is.
    var trouble: String? {
        troubles.isEmpty
            ? nil : troubles.sorted { $0.key < $1.key }.map(\.value).joined(separator: "; ")
    }

    /// Records how folders are watched.
    ///
    /// - Returns: What is new, and its log level.
    mutating func take(_ folders: [WatchStatus.Folder]) -> [(level: Logger.Level, words: String)] {
        var news: [(Logger.Level, String)] = []
        for (index, folder) in folders.enumerated() {
            let before = replacements.updateValue(folder.replacements, forKey: index)
            if let words = folder.change(since: before) { news.append((.warning, words)) }
            // Whether it can be watched again is not yet known.
            if case .starting = folder.condition { continue }
            let trouble = folder.trouble
            if troubles[index] == trouble { continue }
            troubles[index] = trouble
            news.append(
                trouble.map { (.warning, $0) } ?? (.notice, "\(folder.name) is watched again")
            )
        }
        return news
    }

    /// Records what the watch has skipped.
    ///
    /// - Parameter total: The numbers since the start.
    /// - Returns: What is new, and how many, by kinds.
    mutating func take(_ total: WatchStatus.Skipped) -> [(cause: PassedOver.Cause, count: Int)] {
        defer { skipped = total }
        let kinds: [(KeyPath<WatchStatus.Skipped, Int>, String, String)] = [
            (\.fifos, "named pipe", "named pipes"), (\.devices, "device", "devices"),
            (\.sockets, "socket", "sockets"), (\.symbolicLinks, "symbolic link", "symbolic links"),
            (\.folders, "folder", "folders"), (\.others, "other", "others"),
        ]
        return kinds.compactMap { kind, one, many in
            let count = total[keyPath: kind] - (skipped?[keyPath: kind] ?? 0)
            return count > 0 ? (.kind(one: one, many: many), count) : nil
        }
    }
}

extension WatchStatus.Folder {
    fileprivate var name: String { path.displayText.onOneLine }

    /// What has changed since an earlier status; nil if it is the same folder.
    fileprivate func change(since before: WatchStatus.Replacements?) -> String? {
        let what: String
        if replacements.mounts > before?.mounts ?? 0 {
            what = "something was mounted or unmounted there"
        } else if replacements.folders > before?.folders ?? 0 {
            what = "it was replaced"
        } else {
            return nil
        }
        return "\(name) is another folder now: \(what); the service takes pictures from the new one"
    }

    /// What is wrong with it; nil if nothing is.
    fileprivate var trouble: String? {
        switch condition {
        case .starting, .events: nil
        case .polling(let reason): "the service looks at \(name) every few seconds: \(reason)"
        case .absent(let reason): "\(name) cannot be watched: \(reason)"
        }
    }
}
