internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import SystemSupport
internal import TagReading

// What can be looked at.

extension Board {
    func look(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let path = request.path
        switch path.first {
        case "news" where path.count == 1: return try news(request, visitor)
        case "thumb" where path.count == 2: return try await filed(path[1], side: Self.smallSide)
        case "picture" where path.count == 2: return try await filed(path[1], side: Self.largeSide)
        case "failed" where path.count == 3:
            let side = path[2] == "thumb" ? Self.smallSide : Self.largeSide
            return try await unread(path[1], side: side)
        default: return page(try page(request, visitor), visitor, request)
        }
    }

    /// The page at an address.
    ///
    /// - Throws: ``Refusal`` or `StoreError`.
    func page(_ request: PageRequest, _ visitor: Visitor) throws -> Page {
        let (role, make) = try page(at: request, for: visitor)
        try require(role, visitor)
        return try make()
    }

    /// The role that the page at an address asks for, whoever wants it or news about it, and how it is made.
    ///
    /// - Throws: ``Refusal`` if there is no such page.
    func page(at request: PageRequest, for visitor: Visitor) throws(Refusal) -> (
        role: Role, make: () throws -> Page
    ) {
        let path = request.path
        return switch (path.first, path.count) {
        case (nil, _): (.see, nowPage)
        case ("search", 1): (.see, { try self.searchPage(request) })
        case ("report", 1): (.see, { try self.reportPage(request) })
        case ("bag", 2): (.see, { try self.bagPage(path[1], request, visitor) })
        case (let kind?, 3) where path[2] == "changes":
            (.correct, { try self.changesPage(self.subject(kind, path[1]), visitor) })
        case ("alarms", 1): (.see, alarmsPage)
        case ("alarm", 2): (.see, { try self.alarmPage(path[1], visitor) })
        case ("failed", 1): (.see, { try self.failedPage(after: request.query["after"]) })
        case ("failed", 2): (.see, { try self.failedPicturePage(path[1], visitor, [:], nil) })
        case ("hand-in", 1):
            (
                .file,
                { try self.handInPage(visitor, request.query["point"].flatMap(Point.init), nil) }
            )
        case ("handed-in", 2): (.file, { try self.handedInPage(path[1]) })
        default: throw .noPage
        }
    }

    func seal(_ visitor: Visitor) -> HTML {
        Frame(words: settings.words, visitor: visitor, path: "").seal
    }

    // MARK: Pages

    /// Looks at the first page, so that nobody waits for what is read only once.
    package func warmUp() { _ = try? nowPage() }

    private func nowPage() throws -> Page {
        let showing = showing
        let (now, token) = try record.read { context in
            let now = try Now(
                at: showing.date,
                patience: settings.patience,
                bounds: settings.alarms,
                rates: quarters,
                in: context
            )
            return (now, try context.lastHistoryToken())
        }
        return Page(
            title: settings.words.now,
            place: .now,
            sections: NowPage(showing: showing, now: now).sections,
            layout: "now",
            token: token ?? HistoryToken(rawValue: 0)
        )
    }

    private func searchPage(_ request: PageRequest) throws -> Page {
        let text = String((request.query["for"] ?? "").prefix(100))
        let onlyMissing = request.query["missing"] != nil
        let (matches, token) = try record.read { context in
            let isAsked = !text.isEmpty || onlyMissing
            let matches =
                try !isAsked
                ? nil
                : BagMatches(
                    text,
                    onlyMissing: onlyMissing,
                    lookingThrough: request.wantsWhole ? nil : settings.mostAtOnce.bags,
                    in: context
                )
            return (matches, try context.lastHistoryToken())
        }
        let rest = matches?.isUnfinished ?? false ? request.whole("for", "missing") : nil
        let page = SearchPage(
            showing: showing,
            text: text,
            onlyMissing: onlyMissing,
            matches: matches,
            rest: rest
        )
        return Page(
            title: settings.words.search,
            place: .search,
            sections: page.sections,
            // To look through everything at each scan would take a processor.
            token: request.wantsWhole ? nil : token,
            rest: rest
        )
    }

    private func reportPage(_ request: PageRequest) throws -> Page {
        var showing = showing
        // To the minute, so that the address of a report can be kept.
        let minute = (showing.date.timeIntervalSince1970 / 60).rounded(.up) * 60
        showing.date = Date(timeIntervalSince1970: minute)
        let since = ReportTime.date(request.query["since"]) ?? showing.date - 8 * 3600
        let until = ReportTime.date(request.query["until"]) ?? showing.date
        let isWrong =
            since >= until
            || ["since", "until"].contains {
                request.query[$0].map { !$0.isEmpty && ReportTime.date($0) == nil } ?? false
            }
        let period = Period(since: since, until: until)
        let most = request.wantsWhole ? nil : settings.mostAtOnce.scans
        let summary =
            try isWrong
            ? nil
            : record.read {
                try reports.summary(since: since, until: until, counting: most, oldest: 200, in: $0)
            }
        let notice = isWrong ? Notice(sentence: settings.words.wrongTime, isGood: false) : nil
        let rest = summary == nil && !isWrong ? request.whole("since", "until") : nil
        let page = ReportPage(
            showing: showing,
            period: period,
            summary: summary,
            rest: rest,
            notice: notice
        )
        return Page(
            title: settings.words.shiftReport,
            place: .report,
            sections: page.sections,
            layout: "report",
            rest: rest
        )
    }

    func bagPage(
        _ text: String,
        _ request: PageRequest,
        _ visitor: Visitor,
        _ typed: [String: String] = [:],
        _ notice: Notice? = nil
    ) throws -> Page {
        let id = try identifier(text)
        let showing = showing
        let (report, token) = try record.read { context in
            guard let bag = try context.bag(id) else { throw Refusal.noPage }
            return (try CustodyReport(bag, in: context), try context.lastHistoryToken())
        }
        var form: HTML?
        if visitor.role >= .correct {
            let isSaved = request.query["saved"] != nil && notice == nil
            let notice =
                isSaved ? Notice(sentence: settings.words.isSaved, isGood: true) : notice
            form =
                CorrectingForm(
                    showing: showing,
                    seal: seal(visitor),
                    bag: report.luggage,
                    typed: typed,
                    notice: notice
                ).html
        }
        return Page(
            title: "\(settings.words.bag) \(id.bagName)",
            sections: BagPage(showing: showing, report: report, form: form).sections,
            layout: "bag-page",
            token: token
        )
    }

    private func alarmsPage() throws -> Page {
        let alarms = try record.read { context in
            try Alarm.open(at: now(), within: settings.alarms, in: context).filter {
                $0.note == nil
            }
        }
        let list = AlarmList(showing: showing, alarms: alarms, most: AlarmPage.most)
        return Page(
            title: settings.words.alarms,
            sections: [Page.Section(id: "alarms", html: list.page, isLive: false)]
        )
    }

    func alarmPage(
        _ text: String,
        _ visitor: Visitor,
        typed: String? = nil,
        _ notice: Notice? = nil
    ) throws -> Page {
        let (alarm, awaited) = try record.read { context in
            let alarm = try openAlarm(text, in: context)
            return (alarm, try alarm?.awaited(limit: AlarmPage.most, in: context) ?? [])
        }
        guard let alarm else { return noAlarmPage() }
        return AlarmPage(
            showing: showing,
            alarm: alarm,
            awaited: awaited,
            seal: visitor.role < .correct ? nil : seal(visitor),
            typed: typed,
            notice: notice
        ).page
    }

    /// Says that an alarm is none any more.
    func noAlarmPage(_ remark: String? = nil) -> Page {
        let words = settings.words
        let sentence = [remark, words.noAlarmHint].compactMap(\.self).joined(separator: " ")
        return PlainPage(heading: words.noAlarm, sentence: sentence, words: words).page
    }

    /// The alarm with an identifier; nil if there is none now.
    ///
    /// - Throws: ``Refusal`` or `StoreError`.
    func openAlarm(_ text: String, in context: ManagedObjectContext) throws -> Alarm? {
        let id = try identifier(text)
        return try Alarm.open(at: now(), within: settings.alarms, in: context)
            .first { $0.id == id }
    }

    /// The identifier that is a part of an address.
    ///
    /// - Throws: ``Refusal`` if it is none.
    func identifier(_ text: String) throws(Refusal) -> UUID {
        // Foundation's reading ends at a zero.
        guard text.utf8.count == 36, let id = UUID(uuidString: text) else { throw .noPage }
        return id
    }

    /// What an address says that changes are about.
    func subject(_ kind: String, _ id: String) throws(Refusal) -> Subject {
        guard let kind = Subject.Kind(rawValue: kind) else { throw .noPage }
        return Subject(kind: kind, id: try identifier(id))
    }

    func changesPage(
        _ subject: Subject,
        _ visitor: Visitor,
        notice: Notice? = nil
    ) throws -> Page {
        let page = ChangesPage(
            showing: showing,
            seal: seal(visitor),
            subject: subject,
            changes: try changes(about: subject.id),
            notice: notice
        )
        return Page(title: settings.words.takeBack, sections: page.sections)
    }

    /// The last changes about a bag, or about an alarm that is about none.
    func changes(about subject: UUID) throws -> [RecordChange] {
        try ChangeUndoing(container: record, now: now).changes(limit: 100, about: subject)
    }
}

extension ManagedObjectContext {
    /// The bag with an identifier; nil if none is on record.
    func bag(_ identifier: UUID) throws -> Luggage? {
        try fetch(FetchRequest(Luggage.self).where(\.identifier, is: identifier)).first
    }
}

/// Times as browsers write them into forms, by the station's clocks.
enum ReportTime {
    static func date(_ text: String?) -> Date? {
        let pattern = /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(:\d\d)?/.asciiOnlyDigits()
        guard let match = text?.wholeMatch(of: pattern) else { return nil }
        let components = DateComponents(
            calendar: Calendar(identifier: .gregorian),
            timeZone: .gmt,
            year: Int(match.1),
            month: Int(match.2),
            day: Int(match.3),
            hour: Int(match.4),
            minute: Int(match.5)
        )
        guard components.isValidDate, let shown = components.date else { return nil }
        return LocalClock.moments(showing: shown).first
    }
}

extension PageRequest {
    /// Whether the whole page is wanted, however long it takes.
    var wantsWhole: Bool { query["whole"] != nil }

    /// The address of the whole page.
    ///
    /// - Parameter names: The fields that the page knows; with others it might be too long.
    /// - Returns: Its path with these fields.
    func whole(_ names: String...) -> String {
        var request = self
        request.query = query.filter { names.contains($0.key) }
        request.query["whole"] = "1"
        return request.target
    }

    /// The path with what follows it, as in an address.
    var target: String {
        let path = "/" + path.map(\.urlText).joined(separator: "/")
        if query.isEmpty { return path }
        let fields = query.sorted { $0.key < $1.key }.map {
            "\($0.key.urlText)=\($0.value.urlText)"
        }
        return path + "?" + fields.joined(separator: "&")
    }
}

extension String {
    /// The text as a part of an address.
    var urlText: String {
        var text = ""
        for byte in utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + [byte].hexadecimal.uppercased()
            }
        }
        return text
    }
}
