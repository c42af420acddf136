package import FoundationEssentials
package import LuggageService
package import LuggageTags
package import ObjectStore
internal import Synchronization
internal import SystemSupport
package import TagReading

/// The baggage room on pages: answers what browsers ask.
///
/// It decides what a page says and who may do what, and knows nothing of sockets.
package final class Board: Sendable {
    /// What the station has decided.
    package struct Settings: Sendable {
        /// The watched folder; nil if pictures cannot be handed in or looked at.
        package var layout: FolderLayout?
        /// What can be true of bags.
        package var bounds = TagBounds.usual
        /// The unit of weights.
        package var units = MassUnit.pounds
        /// After how many seconds a missing bag is overdue.
        package var patience: TimeInterval = 6 * 3600
        /// From when on something is an alarm.
        package var alarms = AlarmBounds()
        /// How many identifiers are looked through, and how many scans are counted, before a page is shown.
        ///
        /// What takes longer is shown by a second page.
        package var mostAtOnce = (bags: 100_000, scans: 20_000)
        /// The texts.
        package var words = Words()
        /// Takes what whoever runs the board should know.
        package var log: @Sendable (String) -> Void = { _ in }

        /// Takes the usual ones.
        package init(layout: FolderLayout? = nil) { self.layout = layout }
    }

    let record: PersistentContainer
    let tokens: TokenFile
    let settings: Settings
    let pictures: SmallPictures?
    let quarters = QuarterCounts()
    let reports = ReportCounts()
    let handedIn = HandedInList()
    /// One failed picture at a time, so that two who type the same tag file it once.
    let correcting = Mutex(())
    let now: @Sendable () -> Date

    /// Makes a board.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - tokens: The tokens of those who may come in.
    ///   - reader: Unpacks pictures; nil if none can be shown.
    ///   - settings: What the station has decided.
    ///   - now: Gives the present moment.
    package init(
        record: PersistentContainer,
        tokens: TokenFile,
        reader: ReaderPool?,
        settings: Settings,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.record = record
        self.tokens = tokens
        self.settings = settings
        pictures = reader.map(SmallPictures.init)
        self.now = now
    }

    var showing: Showing {
        Showing(
            words: settings.words,
            units: settings.units,
            patience: settings.patience,
            date: now()
        )
    }

    // MARK: Answering

    /// The answer to a request that has come whole.
    package func answer(_ request: PageRequest) async -> PageAnswer {
        if let asset = Asset.all.first(where: {
            $0.path == "/" + request.path.joined(separator: "/")
        }) {
            return asset.answer
        }
        if request.path == ["enter"] { return enter(request) }
        let visitor: Visitor
        do throws(Refusal) {
            visitor = try self.visitor(of: request)
            if request.method == .post { try checkForm(request, visitor) }
        } catch {
            return page(error, nil, request)
        }
        do {
            if request.method == .post { return try await change(request, visitor) }
            return try await look(request, visitor)
        } catch let refusal as Refusal {
            return page(refusal, visitor, request)
        } catch {
            settings.log("\(request.path.joined(separator: "/").onOneLine): \(error)")
            return page(.trouble, visitor, request)
        }
    }

    /// Who asks.
    ///
    /// - Throws: ``Refusal`` for who has no token that counts.
    func visitor(of request: PageRequest) throws(Refusal) -> Visitor {
        guard let text = request.cookie(Self.cookie), let token = Token(text),
            let visitor = tokens.visitor(token)
        else { throw .stranger(hasToken: request.cookie(Self.cookie) != nil) }
        return visitor
    }

    /// Refuses what no form of this board has sent.
    func checkForm(_ request: PageRequest, _ visitor: Visitor) throws(Refusal) {
        guard request.comesFromOwnPage, request.form["seal"] == visitor.seal else {
            throw .notFromHere
        }
    }

    func require(_ role: Role, _ visitor: Visitor) throws(Refusal) {
        if visitor.role < role { throw .mayNot }
    }

    // MARK: Coming in

    /// Refuses a form of a stranger before it comes.
    ///
    /// - Parameter request: The request without its body.
    /// - Returns: The answer; nil if the form may come.
    package func refusal(ofFormIn request: PageRequest) -> PageAnswer? {
        do throws(Refusal) {
            _ = try visitor(of: request)
            return nil
        } catch {
            return page(error, nil, request)
        }
    }

    static let cookie = "luggage"

    private func enter(_ request: PageRequest) -> PageAnswer {
        guard let token = Token(request.query["token"] ?? ""), tokens.visitor(token) != nil else {
            return page(.stranger(hasToken: request.query["token"] != nil), nil, request)
        }
        var answer = PageAnswer.goTo("/")
        let secure = request.isSecure ? "; Secure" : ""
        // As long as browsers keep one at most; it ends earlier if the token is revoked.
        let cookie =
            "\(Self.cookie)=\(token.text); Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax"
        answer.headers.append(("Set-Cookie", cookie + secure))
        return answer
    }

    var leaving: PageAnswer {
        var answer = PageAnswer.goTo("/enter")
        answer.headers.append(
            ("Set-Cookie", "\(Self.cookie)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
        )
        return answer
    }

    // MARK: Pages

    func page(_ page: Page, _ visitor: Visitor, _ request: PageRequest, status: Int = 200)
        -> PageAnswer
    {
        let path = request.target
        let frame = Frame(words: settings.words, visitor: visitor, path: path)
        return .page(frame.html(page), status: status)
    }

    /// The page that says why a request is refused.
    ///
    /// - Parameters:
    ///   - refusal: Why it is refused.
    ///   - visitor: Who asks; nil for a stranger.
    ///   - request: The request; nil if it could not be read.
    ///   - remark: What was done all the same; nil for nothing.
    /// - Returns: The answer.
    package func page(
        _ refusal: Refusal,
        _ visitor: Visitor?,
        _ request: PageRequest?,
        remark: String? = nil
    ) -> PageAnswer {
        let words = settings.words
        let (heading, why) = refusal.words(words)
        let isChange = request?.method == .post
        let rest = remark ?? (isChange ? words.nothingChanged : nil)
        let sentence = [why, rest].compactMap(\.self).joined(separator: " ")
        let plain = PlainPage(
            heading: heading,
            sentence: sentence,
            words: words,
            leadsBack: visitor != nil
        )
        let frame = Frame(words: words, visitor: visitor, path: "")
        return .page(frame.html(plain.page), status: refusal.status)
    }
}

/// Why a request is not done.
package enum Refusal: Error, Hashable {
    /// Whoever asks has no token that counts.
    case stranger(hasToken: Bool)
    /// The token does not allow it.
    case mayNot
    /// No form of this board has sent it.
    case notFromHere
    /// There is no such page.
    case noPage
    /// It makes no sense.
    case wrong
    /// It is longer than it may be.
    case tooLong
    /// A picture is larger than any reader takes.
    case tooLarge
    /// A picture could not be kept.
    case notKept
    /// The board knows no watched folder.
    case noFolder
    /// The record cannot be asked.
    case trouble

    var status: Int {
        switch self {
        case .stranger: 401
        case .mayNot, .notFromHere: 403
        case .noPage, .noFolder: 404
        case .wrong: 400
        case .tooLong, .tooLarge: 413
        case .trouble, .notKept: 503
        }
    }

    func words(_ words: Words) -> (heading: String, sentence: String) {
        switch self {
        case .stranger(let hasToken):
            (words.enter, (hasToken ? words.tokenIsOld + " " : "") + words.enterHint)
        case .mayNot: (words.mayNot, words.mayNotHint)
        case .notFromHere: (words.mayNot, words.notFromHere)
        case .noPage: (words.noPage, words.noPageHint)
        case .wrong: (words.wrongRequest, words.wrongRequestHint)
        case .tooLong, .tooLarge: (words.tooLarge, words.tooLargeHint)
        case .notKept: (words.notKept, words.notKeptHint)
        case .noFolder: (words.noPage, words.noFolder)
        case .trouble: (words.trouble, words.troubleHint)
        }
    }
}
