internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import Synchronization

// Handing in: pictures go into the watched folder, and the service does the rest.

extension Board {
    /// How large a form with pictures may be, in bytes.
    package static let mostHandedIn = 512 << 20

    func handInPage(_ visitor: Visitor, _ chosen: Point?, _ notice: Notice?) throws -> Page {
        guard let layout = settings.layout else { throw Refusal.noFolder }
        let page = HandInPage(
            showing: showing,
            seal: seal(visitor),
            points: layout.dropFolders.map(\.point),
            chosen: chosen,
            notice: notice
        )
        return Page(
            title: settings.words.handIn,
            place: .handIn,
            sections: page.sections,
            layout: "hand-in"
        )
    }

    func handedInPage(_ identifier: String) throws -> Page {
        guard let layout = settings.layout, let pictures = handedIn.pictures(identifier) else {
            throw Refusal.noPage
        }
        let (rows, owners, token) = try record.read { context in
            let rows = try pictures.map { picture in
                (picture: picture, scans: try context.scans(of: picture))
            }
            let bags = Set(rows.flatMap(\.scans).compactMap(\.bag))
            return (rows, try context.owners(of: bags), try context.lastHistoryToken())
        }
        let isFiled = FolderReport.watcher(of: layout) != nil
        let page = HandedInPage(showing: showing, pictures: rows, owners: owners, isFiled: isFiled)
        return Page(
            title: settings.words.wasHandedIn,
            sections: page.sections,
            token: token ?? HistoryToken(rawValue: 0)
        )
    }

    /// Begins to take a form with pictures, before any of them has come.
    ///
    /// - Parameter request: The request without its body.
    /// - Returns: What takes the body, or the answer that refuses it.
    package func beginHandIn(_ request: PageRequest) -> Result<HandIn, AnsweredRefusal> {
        var visitor: Visitor?
        do throws(Refusal) {
            let found = try self.visitor(of: request)
            visitor = found
            guard request.comesFromOwnPage else { throw .notFromHere }
            try require(.file, found)
            guard let layout = settings.layout else { throw .noFolder }
            if let length = request.headers["content-length"],
                Int(length) ?? .max > Self.mostHandedIn
            {
                throw .tooLong
            }
            guard let type = request.headers["content-type"],
                let reader = MultipartReader(contentType: type)
            else { throw .wrong }
            return .success(HandIn(self, reader, layout, found, request))
        } catch {
            return .failure(AnsweredRefusal(answer: page(error, visitor, request)))
        }
    }
}

/// A refusal as it is sent.
package struct AnsweredRefusal: Error {
    /// What is sent.
    package let answer: PageAnswer
}

extension ManagedObjectContext {
    /// What the record says of a picture that was handed in.
    fileprivate func scans(of picture: HandedIn) throws -> [HistoryEntry] {
        try fetch(
            FetchRequest(Scan.self).where(\.imageDigest, is: picture.digest)
                .where(\.point, is: picture.point).where(\.isRepeat, is: false)
        ).filter { $0.undoneAt == nil }.map { HistoryEntry($0) }
    }
}

/// What was handed in since the program started, as far as its pages may be asked for again.
final class HandedInList: Sendable {
    private let state = Mutex<(forms: [String: [HandedIn]], order: [String])>(([:], []))
    private static let most = 500

    func pictures(_ identifier: String) -> [HandedIn]? { state.withLock { $0.forms[identifier] } }

    /// Keeps the pictures of one form.
    ///
    /// - Returns: What stands for them in an address.
    func add(_ pictures: [HandedIn]) -> String {
        let identifier = Token().text
        state.withLock { state in
            state.forms[identifier] = pictures
            state.order.append(identifier)
            if state.order.count > Self.most { state.forms[state.order.removeFirst()] = nil }
        }
        return identifier
    }
}

/// A form with pictures that is being taken; one thread at a time uses it.
package final class HandIn: Sendable {
    private let board: Board
    private let layout: FolderLayout
    private let visitor: Visitor
    private let request: PageRequest
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var reader: MultipartReader
        var field: (name: String, value: [UInt8])?
        var picture: HandedInPicture?
        var name = ""
        var point: Point?
        var isSealed = false
        var byteCount = 0
        var done: [HandedIn] = []
    }

    fileprivate init(
        _ board: Board,
        _ reader: MultipartReader,
        _ layout: FolderLayout,
        _ visitor: Visitor,
        _ request: PageRequest
    ) {
        (self.board, self.layout, self.visitor, self.request) = (board, layout, visitor, request)
        state = Mutex(State(reader: reader))
    }

    /// Takes a piece of the body.
    ///
    /// - Parameter bytes: The piece.
    /// - Returns: The answer if it is refused; what was dropped before stays.
    package func take(_ bytes: [UInt8]) -> PageAnswer? {
        do {
            try state.withLock { state in
                state.byteCount += bytes.count
                if state.byteCount > Board.mostHandedIn { throw Refusal.tooLong }
                for finding in try state.reader.read(bytes) { try take(finding, &state) }
            }
            return nil
        } catch let refusal as Refusal {
            return refused(refusal)
        } catch is MultipartReader.Malformed {
            return refused(.wrong)
        } catch {
            board.settings.log("a picture could not be kept: \(error)")
            return refused(.notKept)
        }
    }

    /// The page that says why a form was refused, and which of its pictures were taken all the same.
    private func refused(_ refusal: Refusal) -> PageAnswer {
        let taken = state.withLock { $0.done.map(\.name) }
        return board.page(refusal, visitor, request, remark: board.settings.words.wereTaken(taken))
    }

    private func take(_ finding: MultipartReader.Finding, _ state: inout State) throws {
        switch finding {
        case .part(let name, nil): state.field = (name, [])
        case .part(_, let file?):
            // Who hands in must have said who they are, and where the bags are, before the pictures.
            guard state.isSealed else { throw Refusal.notFromHere }
            guard let folder = layout.dropFolders.first(where: { $0.point == state.point }) else {
                throw Refusal.wrong
            }
            state.name = file
            state.picture = try HandedInPicture(into: folder)
        case .bytes(let bytes):
            if state.field != nil {
                state.field?.value += bytes
                if state.field?.value.count ?? 0 > 4096 { throw Refusal.wrong }
            } else {
                try state.picture?.add(bytes)
                if state.picture?.byteCount ?? 0 > Self.mostBytes { throw Refusal.tooLarge }
            }
        case .end: try end(&state)
        }
    }

    /// How large a picture may be: no reader takes a larger one.
    private static let mostBytes = 64 << 20

    private func end(_ state: inout State) throws {
        if let field = state.field {
            state.field = nil
            let value = String(decoding: field.value, as: UTF8.self)
            if field.name == "seal" { state.isSealed = value == visitor.seal }
            if field.name == "point" { state.point = Point(rawValue: value) }
            return
        }
        // A form without a chosen file has one without a name and without a byte.
        guard let picture = state.picture.take(), let point = state.point, picture.byteCount > 0
        else { return }
        let digest = try picture.drop(as: state.name)
        state.done.append(
            HandedIn(name: state.name, digest: digest, point: point)
        )
    }

    /// Answers when the body has come whole.
    package func finish() -> PageAnswer {
        let (done, point, isWhole) = state.withLock { state in
            (state.done, state.point, state.reader.isDone)
        }
        guard isWhole else { return refused(.wrong) }
        if done.isEmpty {
            let notice = Notice(sentence: board.settings.words.nothingHandedIn, isGood: false)
            guard let page = try? board.handInPage(visitor, point, notice) else {
                return board.page(.noFolder, visitor, request)
            }
            return board.page(page, visitor, request, status: 422)
        }
        return .goTo("/handed-in/\(board.handedIn.add(done))")
    }
}
