internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport
internal import SystemSupport
internal import TagReading

/// Reads pictures, writes what their symbols say, and files nothing.
struct PictureReading {
    /// The formats of payloads.
    enum Format: String, CaseIterable {
        case text, json, base64, raw
    }

    /// The paths of pictures, or of folders of pictures; `-` for standard input.
    var images: [String]
    var effort = ReadEffort.normal
    var format = Format.text
    /// The file for a drawing of what the reader looked at in the only picture; nil for none.
    var explain: String?
    /// Whether that drawing replaces a file.
    var force = false

    func run() async throws {
        let pictures = try PictureFinder(images, orElse: "nothing was read").pictures
        let pool = try ReaderPool.forThisProgram(effort)
        if let explain {
            // One argument may be a folder.
            guard let picture = pictures.first, pictures.count == 1 else {
                throw ValidationError("--explain draws on one picture: name only one")
            }
            let isComplete = try await drawExplanation(of: picture, in: explain, pool)
            await pool.shutdown()
            if !isComplete { throw ExitStatus.incomplete.code }
            return
        }
        var isComplete = true
        var progress = Progress(total: pictures.count)
        var done = 0
        try await PictureQueue.run(pictures, width: 2 * pool.workers) { picture in
            let result: Result<Reading, ReadError>
            do throws(ReadError) {
                result = try await PictureIntake(reader: pool).read(await picture.open()).reading
            } catch {
                result = .failure(error)
            }
            return (picture.shownName, picture.told(result))
        } deliver: { name, result in
            progress.hide()
            isComplete = try write(result, of: name, isOnlyOne: pictures.count == 1) && isComplete
            done += 1
            progress.show(done)
        }
        progress.hide()
        await pool.shutdown()
        if !isComplete { throw ExitStatus.incomplete.code }
    }

    /// Writes what a picture gave, and draws what the reader looked at in it.
    private func drawExplanation(
        of picture: PictureFinder.Picture,
        in path: String,
        _ pool: ReaderPool
    ) async throws -> Bool {
        if picture.isFile(at: path) {
            throw Failure(.cannotCreate, "\(path) is the picture itself; choose another name")
        }
        // Reading needs no record, so there may be none to protect.
        let settings = SharedSettings(environment: ProcessInfo.processInfo.environment)
        if let record = try? RecordFile(named: nil, settings) { try record.protect(from: path) }
        // Opened before the picture is read: a drawing that cannot be written need not be made.
        var file = try AtomicFile(path: path, replaces: force)
        var result: Result<(reading: Reading, explanation: ReadingExplanation), ReadError>
        do throws(ReadError) {
            result = .success(try await pool.explain(await picture.open()))
        } catch {
            result = .failure(error)
        }
        result = picture.told(result)
        let isComplete = try write(
            result.map { $0.reading },
            of: picture.shownName,
            isOnlyOne: true
        )
        switch result {
        case .success(let (reading, explanation)):
            guard let drawing = ExplanationDrawing(reading, explanation).png() else {
                throw Failure(.ioFailed, "there is no memory for \(path.onOneLine)")
            }
            try file.write(drawing)
            try file.finish()
        case .failure:
            StandardError.complain(
                "luggage",
                "\(path.onOneLine) was not drawn, because the picture was not examined to its end"
            )
        }
        return isComplete
    }

    /// Writes what a picture gave, and returns whether it gave anything.
    private func write(
        _ result: Result<Reading, ReadError>,
        of name: String,
        isOnlyOne: Bool
    ) throws -> Bool {
        let reading: Reading
        do {
            reading = try result.get()
        } catch {
            try writeFailure(TagError(error), of: name)
            return false
        }
        var isComplete = !reading.symbols.isEmpty
        if !isComplete { try writeFailure(.noCode(in: reading), of: name, in: reading) }
        for symbol in reading.symbols {
            if let refusal = symbol.refusal {
                try writeFailure(TagError(refusal), of: name, symbol, in: reading)
                isComplete = false
                continue
            }
            switch format {
            case .raw: try StandardOutput.write(symbol.payload)
            case .base64: try StandardOutput.line(Data(symbol.payload).base64EncodedString())
            case .json: try StandardOutput.jsonLine(ReadReport(image: name, symbol, of: reading))
            case .text:
                let prefix = isOnlyOne ? "" : "\(name.onOneLine): "
                try StandardOutput.line(prefix + symbol.payload.readableText)
            }
        }
        if format != .json {
            for place in reading.unread {
                StandardError.complain("luggage", "\(name.onOneLine): \(place.words)")
            }
        }
        return isComplete
    }

    private func writeFailure(
        _ error: TagError,
        of name: String,
        _ symbol: Symbol? = nil,
        in reading: Reading? = nil
    ) throws {
        if format == .json {
            let report = ReadReport(image: name, error: Problem(error), symbol, of: reading)
            try StandardOutput.jsonLine(report)
        } else {
            StandardError.complain("luggage", "\(name.onOneLine): \(error.message)")
        }
    }
}

extension PictureReading {
    /// What `luggage read` with nothing but names of pictures asks for; nil for other words.
    ///
    /// The parser asks the runtime much about the options of a command, which takes a tenth of the time of
    /// reading a picture.
    init?(words: [String]) {
        guard words.first == ReadCommand.word, words.count > 1,
            !words.contains(where: { $0.hasPrefix("-") })
        else { return nil }
        self.init(images: Array(words.dropFirst()))
    }
}

/// A symbol, or one whose text is not told, or a picture that gave none, in the output of
/// `--format json`.
private struct ReadReport: Encodable {
    var image: String
    /// The payload, if it is UTF-8.
    var text: String?
    var base64: String?
    /// `[x, y]` in pixels from the top left.
    var corners: [[Int]]?
    /// True for one part of a structured append; otherwise absent.
    var isPartial: Bool?
    /// The corners of each place in the picture that looks like a symbol and could not be read; absent if
    /// there are none.
    var unread: [[[Int]]]?
    var milliseconds: Double?
    var error: Problem?

    init(image: String, error: Problem, _ symbol: Symbol?, of reading: Reading?) {
        self.image = image
        self.error = error
        corners = symbol?.corners.map(\.pair)
        unread = reading?.unreadCorners
        isPartial = symbol?.isPartial == true ? true : nil
    }

    init(image: String, _ symbol: Symbol, of reading: Reading) {
        self.image = image
        text = String(validating: symbol.payload, as: UTF8.self)
        base64 = Data(symbol.payload).base64EncodedString()
        corners = symbol.corners.map(\.pair)
        isPartial = symbol.isPartial ? true : nil
        unread = reading.unreadCorners
        milliseconds = reading.duration / .milliseconds(1)
    }
}

extension UnreadPlace {
    /// The place as a sentence for a person.
    fileprivate var words: String {
        let (x, y) = (corners.middle.x, corners.middle.y)
        return "something around x \(x), y \(y) looks like a QR code and could not be read"
    }
}

extension [UInt8] {
    /// The bytes as text on one line; if they are not valid text, with `\xHH`.
    fileprivate var readableText: String {
        if let text = String(validating: self, as: UTF8.self) { return text.onOneLine }
        return map { byte in
            if (0x20..<0x7F).contains(byte) { return String(Unicode.Scalar(byte)) }
            return "\\x" + CollectionOfOne(byte).hexadecimal
        }.joined()
    }
}
