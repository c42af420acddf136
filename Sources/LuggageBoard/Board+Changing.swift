internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import Synchronization
internal import SystemSupport

// What can be changed; the author of each change is the name of the token.

extension Board {
    func change(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let path = request.path
        switch (path.first, path.count) {
        case ("leave", 1): return leaving
        case ("bag", 2):
            try require(.correct, visitor)
            return try correct(path[1], request, visitor)
        case (let kind?, 3) where path[2] == "changes":
            try require(.correct, visitor)
            return try takeBack(subject(kind, path[1]), request, visitor)
        case ("alarm", 2):
            try require(.correct, visitor)
            return try takeNote(path[1], request, visitor)
        case ("failed", 2):
            try require(.file, visitor)
            return try await typeIn(path[1], request, visitor)
        case ("failed", 3) where path[2] == "close":
            try require(.file, visitor)
            return try await dismiss(path[1], request, visitor)
        default: throw Refusal.noPage
        }
    }

    private var corrector: RecordCorrector {
        RecordCorrector(container: record, bounds: settings.bounds, now: now)
    }

    /// A mistake in a form, which its page then says.
    private struct Mistake: Error {
        let sentence: String
    }

    /// What the page of a form says of an error.
    ///
    /// - Throws: The error, if it is not about what was typed.
    private func notice(_ error: any Error) throws -> Notice {
        let sentence =
            switch error {
            case let mistake as Mistake: mistake.sentence
            case let error as TagError: settings.words.sentence(error)
            case let error as CorrectionError: settings.words.sentence(error)
            default: throw error
            }
        return Notice(sentence: sentence, isGood: false)
    }

    // MARK: Bags

    private func correct(
        _ text: String,
        _ request: PageRequest,
        _ visitor: Visitor
    ) throws -> PageAnswer {
        let id = try identifier(text)
        let words = settings.words
        do {
            let reason = try reason(in: request)
            var edit = BagEdit(weight: try weight(in: request))
            edit.owner = try owner(in: request).map { .passenger($0) }
            if request.form["nobody"] != nil {
                if edit.owner != nil { throw Mistake(sentence: words.nobodyOrSomebody) }
                edit.owner = .nobody
            }
            if edit.owner == nil && edit.weight == nil { throw Mistake(sentence: words.sayWhat) }
            let person = Responsibility(author: visitor.name, reason: reason)
            let seen = request.form["seen"]
            let (before, after) = try corrector.edit(id, edit, by: person) { bag in
                // Also by another program, such as `luggage edit`.
                guard CorrectingForm.seen(bag) == seen else {
                    throw Mistake(sentence: words.changedMeanwhile)
                }
            }
            if before == after { throw Mistake(sentence: words.isAsBefore) }
            return .goTo("/bag/\(id.uuidString)?saved=1#correct")
        } catch {
            let notice = try notice(error)
            let bag = try bagPage(text, request, visitor, request.form, notice)
            let isOld = notice.sentence == words.changedMeanwhile
            return page(bag, visitor, request, status: isOld ? 409 : 422)
        }
    }

    private func takeBack(
        _ subject: Subject,
        _ request: PageRequest,
        _ visitor: Visitor
    ) throws -> PageAnswer {
        guard let number = Int64(request.form["change"] ?? "") else { throw Refusal.wrong }
        let undoing = ChangeUndoing(container: record, now: now)
        do {
            let person = Responsibility(author: visitor.name, reason: try reason(in: request))
            guard try changes(about: subject.id).contains(where: { $0.number == number }) else {
                // The error says if somebody else was earlier; a form that was changed by hand is refused.
                _ = try undoing.change(number, of: visitor.name)
                throw Refusal.wrong
            }
            _ = try undoing.undo(number, by: person)
            return .goTo(subject.path + (subject.kind == .bag ? "?saved=1" : ""))
        } catch {
            let changes = try changesPage(subject, visitor, notice: notice(error))
            return page(changes, visitor, request, status: 422)
        }
    }

    // MARK: Failed pictures

    private func typeIn(
        _ text: String,
        _ request: PageRequest,
        _ visitor: Visitor
    ) async throws -> PageAnswer {
        let (closing, picture) = try await failedPicture(text)
        do {
            let reason = try reason(in: request)
            let taken = picture.date ?? now()
            var tag = TypedTag(
                identifier: try identifier(in: request),
                point: picture.sight.point,
                role: picture.role ?? role(of: picture.sight.point),
                station: picture.sight.station,
                date: taken < settings.bounds.earliest ? now() : taken,
                owner: try owner(in: request),
                weight: try weight(in: request)
            )
            tag.picture = picture.sight
            let person = Responsibility(author: visitor.name, reason: reason)
            let (report, progress) = try correcting.withLock { _ in
                guard try !corrector.progress(of: picture.sight).isClosed else {
                    throw Mistake(sentence: settings.words.settledMeanwhile)
                }
                let report = try corrector.file(tag, by: person)
                return (report, try corrector.progress(of: picture.sight))
            }
            guard progress.isClosed else {
                let words = settings.words.stillToType(progress.typed, progress.failed)
                let notice = Notice(sentence: words, isGood: true)
                return page(try failedPicturePage(text, visitor, [:], notice), visitor, request)
            }
            close(picture, closing)
            return .goTo(report.luggage.map { "/bag/\($0.id.uuidString)" } ?? "/failed")
        } catch {
            return try failedAnswer(text, request, visitor, error)
        }
    }

    private func dismiss(
        _ text: String,
        _ request: PageRequest,
        _ visitor: Visitor
    ) async throws -> PageAnswer {
        let (closing, picture) = try await failedPicture(text)
        do {
            let person = Responsibility(author: visitor.name, reason: try reason(in: request))
            try corrector.dismiss(picture.sight, by: person)
            close(picture, closing)
            return .goTo("/failed")
        } catch {
            return try failedAnswer(text, request, visitor, error)
        }
    }

    private func failedPicture(
        _ text: String
    ) async throws -> (closing: FolderClosing, picture: FolderClosing.Picture) {
        guard let layout = settings.layout else { throw Refusal.noFolder }
        guard let key = PictureKey(text) else { throw Refusal.noPage }
        let closing = FolderClosing(layout)
        guard let picture = try? await closing.pictures(named: [key.name]).pictures.first else {
            throw Refusal.noPage
        }
        return (closing, picture)
    }

    /// Moves a picture that is done with; the record has it as closed already.
    private func close(_ picture: FolderClosing.Picture, _ closing: FolderClosing) {
        do throws(FilingError) {
            try closing.close(picture)
        } catch {
            // What was typed is on record; the picture stays where it is.
            settings.log("\(error)")
        }
    }

    private func failedAnswer(
        _ text: String,
        _ request: PageRequest,
        _ visitor: Visitor,
        _ error: any Error
    ) throws -> PageAnswer {
        let failed = try failedPicturePage(text, visitor, request.form, notice(error))
        return page(failed, visitor, request, status: 422)
    }

    private func role(of point: Point) -> Point.Role? {
        settings.layout?.dropFolders.first { $0.point == point }?.role
    }

    // MARK: Alarms

    /// Takes note of an alarm; its page then says who has, also if somebody else was earlier.
    private func takeNote(
        _ text: String,
        _ request: PageRequest,
        _ visitor: Visitor
    ) throws -> PageAnswer {
        do {
            let person = Responsibility(author: visitor.name, reason: try reason(in: request))
            guard let alarm = try record.read({ try openAlarm(text, in: $0) }) else {
                let gone = noAlarmPage(settings.words.noteNotTaken)
                return page(gone, visitor, request, status: 409)
            }
            try corrector.note(alarm, by: person)
            return .goTo("/alarm/\(alarm.id.uuidString)")
        } catch {
            let notice = try notice(error)
            let alarm = try alarmPage(text, visitor, typed: request.form["reason"], notice)
            return page(alarm, visitor, request, status: 422)
        }
    }

    // MARK: Fields

    private func text(_ name: String, in request: PageRequest) -> String? {
        let text = request.form[name]?.trimmed ?? ""
        return text.isEmpty ? nil : text
    }

    private func reason(in request: PageRequest) throws -> String {
        guard let reason = text("reason", in: request), reason.count <= 400,
            reason.onOneLine == reason
        else { throw Mistake(sentence: settings.words.sayWhy) }
        return reason
    }

    private func owner(in request: PageRequest) throws -> PassengerName? {
        guard let text = text("owner", in: request) else { return nil }
        guard let name = PassengerName(printed: text.withSlash) else {
            throw Mistake(sentence: settings.words.wrongOwner)
        }
        return name
    }

    private func weight(in request: PageRequest) throws -> Float? {
        guard let text = text("weight", in: request) else { return nil }
        // A number alone says nothing: a tag may use another unit than a scale here.
        guard Double(text) == nil,
            let pounds = try? MassUnit.exactPounds(in: text.withDecimalPoint), pounds >= 0,
            pounds <= Double(MassUnit.mostPounds)
        else { throw Mistake(sentence: settings.words.wrongWeight) }
        try settings.bounds.check(exactPounds: pounds)
        return Float(pounds) + 0
    }

    private func identifier(in request: PageRequest) throws -> UUID {
        let text = text("identifier", in: request) ?? ""
        if let id = UUID(uuidString: text) { return id }
        let digits = text.uppercased().filter { $0 != "-" && $0 != " " }
        if digits.count == 32, let id = UUID(digits: digits) { return id }
        if (4..<32).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) {
            let found = try record.read { try $0.bags(withDigits: digits, limit: 2) ?? [] }
            if found.count == 1 { return found[0].id }
        }
        throw Mistake(sentence: settings.words.wrongIdentifier)
    }
}

extension String {
    /// A name as tags print it, `D ZMU`, with the slash that parsing asks for.
    ///
    /// It is for what people type: in a payload a blank is a part of a name.
    var withSlash: String {
        let words = split(whereSeparator: \.isWhitespace)
        guard !contains("/"), words.count == 2, words.contains(where: { $0.count == 1 }) else {
            return self
        }
        return words.joined(separator: "/")
    }
}

extension UUID {
    /// Reads 32 digits without hyphens.
    fileprivate init?(digits: String) {
        var text = ""
        for (position, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(position) { text.append("-") }
            text.append(digit)
        }
        self.init(uuidString: text)
    }
}
