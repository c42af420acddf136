internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import TagReading

// Pictures, and the pages of those that could not be read.

extension Board {
    static let smallSide = 240
    static let largeSide = 1600

    /// A picture that the record knows.
    func filed(_ digest: String, side: Int) async throws -> PageAnswer {
        guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit),
            let layout = settings.layout, let pictures
        else { throw Refusal.noPage }
        let key = SmallPictures.Key(picture: digest, side: side)
        if let bytes = pictures.known(key) { return png(bytes) }
        let names = try record.read { context in
            try context.fetch(
                FetchRequest(Scan.self).where(\.imageDigest, is: digest).limited(to: 4)
            ).map(\.imageName)
        }
        for name in Set(names) {
            guard let image = await layout.picture(named: name, digest: digest) else { continue }
            if let bytes = await pictures.png(image, key) { return png(bytes) }
        }
        throw Refusal.noPage
    }

    /// A picture that could not be read.
    func unread(_ text: String, side: Int) async throws -> PageAnswer {
        guard let layout = settings.layout, let pictures, let key = PictureKey(text) else {
            throw Refusal.noPage
        }
        let path = Array("\(layout.path(of: .failed))/".utf8) + key.name
        guard key.name.first != UInt8(ascii: "."),
            let image = try? TagImage(path: path, name: "picture"),
            let bytes = await pictures.png(image, .init(picture: "failed \(text)", side: side))
        else { throw Refusal.noPage }
        return png(bytes, isLasting: false)
    }

    private func png(_ bytes: [UInt8], isLasting: Bool = true) -> PageAnswer {
        let caching = isLasting ? "private, max-age=86400, immutable" : "private, no-cache"
        return PageAnswer(
            200,
            [("Content-Type", "image/png"), ("Cache-Control", caching)],
            .whole(bytes)
        )
    }

    // MARK: Pages

    func failedPictures() throws -> [FailedPicture] {
        guard let layout = settings.layout else { throw Refusal.noFolder }
        do throws(FilingError) {
            return try FolderReport(layout).failed
        } catch {
            throw Refusal.trouble
        }
    }

    func failedPage(notice: Notice?) throws -> Page {
        let token = try record.lastHistoryToken()
        let page = FailedListPage(
            showing: showing,
            pictures: try failedPictures(),
            notice: notice
        )
        return Page(
            title: settings.words.failed,
            place: .failed,
            sections: page.sections,
            token: token ?? HistoryToken(rawValue: 0)
        )
    }

    func failedPicturePage(
        _ text: String,
        _ visitor: Visitor,
        _ typed: [String: String],
        _ notice: Notice?
    ) throws -> Page {
        let words = settings.words
        guard let key = PictureKey(text),
            let picture = try failedPictures().first(where: { $0.name == key.name })
        else { return try failedPage(notice: Notice(sentence: words.isGone, isGood: false)) }
        let page = FailedPicturePage(
            showing: showing,
            seal: seal(visitor),
            picture: picture,
            mayFile: visitor.role >= .file,
            typed: typed,
            notice: notice
        )
        return Page(
            title: picture.displayName,
            place: .failed,
            sections: page.sections,
            layout: "side-by-side"
        )
    }
}
