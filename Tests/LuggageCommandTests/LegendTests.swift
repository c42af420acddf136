import TagReading
import Testing

@testable import luggage

@Suite("The legend of an explanation")
struct LegendTests {
    private static func candidate(
        _ index: Int = 0,
        agreement: Double = 0.8,
        module: Double = 3,
        success: ReadingExplanation.Way? = nil
    ) -> ReadingExplanation.Candidate {
        let corners = [(0, 0), (9, 0), (9, 9), (0, 9)]
        return ReadingExplanation.Candidate(
            outline: corners.map { PixelPoint(x: 20 * index + $0.0, y: $0.1) },
            module: module,
            dimension: 25,
            isLight: false,
            tried: 3,
            agreement: agreement,
            success: success
        )
    }

    private static func finders(_ modules: [Double]) -> [ReadingExplanation.Finder] {
        modules.map { .init(centre: PixelPoint(x: 5, y: 5), module: $0) }
    }

    private static func drawing(
        candidates: [ReadingExplanation.Candidate] = [],
        finders: [ReadingExplanation.Finder] = [],
        symbols: Int = 0,
        unread: [UnreadPlace] = []
    ) -> ExplanationDrawing {
        let luminance = [UInt8](repeating: 200, count: 800 * 10)
        return ExplanationDrawing(
            Reading(
                symbols: (0..<symbols).map { Symbol(payload: [UInt8($0)]) },
                unread: unread,
                width: 800,
                height: 10,
                duration: .zero
            ),
            ReadingExplanation(
                finders: finders,
                candidates: candidates,
                plainScans: symbols == 0 ? 1 : 0,
                picture: .init(width: 800, height: 10, step: 1, luminance: luminance)
            )
        )
    }

    private static func words(_ drawing: ExplanationDrawing) -> String {
        drawing.legend().map(\.text).joined(separator: "\n")
    }

    /// Something that cannot have been tried.
    private static var untried: ReadingExplanation.Candidate {
        var candidate = candidate()
        candidate.tried = 0
        return candidate
    }

    /// Drawings with all that can be said.
    private static var all: [ExplanationDrawing] {
        [drawing(), drawing(symbols: 1), drawing(unread: [UnreadPlace(corners: [])])]
            + ReadingExplanation.Way.allCases.map { way in
                drawing(candidates: [candidate(success: way)], symbols: 1)
            }
            + [0.5, 0.8, 0.97].map { drawing(candidates: [candidate(agreement: $0)]) }
            + [1.2, 3].flatMap { module in
                [
                    drawing(candidates: [candidate(module: module)]),
                    drawing(finders: finders([module, module])),
                    drawing(candidates: [untried], finders: finders([module])),
                ]
            }
            + [
                drawing(
                    candidates: (0..<40).map { candidate($0, success: $0 < 20 ? .grid : nil) },
                    symbols: 20
                )
            ]
    }

    @Test("has a glyph for every letter of what it says")
    func letters() {
        for drawing in Self.all {
            let missing = Self.words(drawing).uppercased().filter {
                $0 != "\n" && !LegendLetters.has($0)
            }
            #expect(missing.isEmpty, "\(Self.words(drawing))")
        }
        #expect(!LegendLetters.has("#"))
    }

    @Test("counts what was read and what was not apart, and every code is outlined")
    func counts() throws {
        func drawing(read: Int, others: Int) -> ExplanationDrawing {
            Self.drawing(
                candidates: (0..<read + others).map {
                    Self.candidate($0, success: $0 < read ? .grid : nil)
                },
                symbols: read
            )
        }
        func green(_ drawing: ExplanationDrawing, above row: Int) -> Int {
            // No legend is above this row of the file: 800 pixels a row, and a byte before each.
            (drawing.png() ?? []).prefix(row * 801).count { $0 == MarkedPicture.Ink.green.rawValue }
        }
        let many = drawing(read: 19, others: 3)
        #expect(Self.words(many).contains("and 7 more codes read"))
        #expect(Self.words(many).contains("and 3 more places that gave nothing"))
        #expect(green(many, above: 9) > green(drawing(read: 12, others: 10), above: 9) + 100)
        let codes = Self.words(drawing(read: 13, others: 0))
        #expect(codes.contains("and 1 more code read") && !codes.contains("gave nothing"))
        let none = Self.words(drawing(read: 2, others: 11))
        #expect(none.contains("and 1 more place that gave nothing") && !none.contains("more code"))
        #expect(!Self.words(drawing(read: 5, others: 7)).contains("more"))
    }

    @Test("begins with what looks like a code and was not read, with what was tried there")
    func unread() throws {
        func place(_ index: Int) -> UnreadPlace {
            UnreadPlace(corners: Self.candidate(index).outline)
        }
        let candidates = [
            Self.candidate(0, success: .grid), Self.candidate(1, agreement: 0.97),
            Self.candidate(2, agreement: 0.6), Self.candidate(3, agreement: 0.7),
        ]
        let drawing = Self.drawing(
            candidates: candidates,
            symbols: 1,
            // The first one was read all the same.
            unread: [place(0), place(1), place(2), place(9)]
        )
        let entries = drawing.legend().map(\.text)
        let words = entries.filter { $0.contains("looks like a code") }
        #expect(
            words == [
                "1: looks like a code, but not read in 3 ways: at best 97% of the known modules were "
                    + "right. its place is right, but too much of its inside is covered or damaged, "
                    + "or it is too blurred. 25 modules a side of 3.0 pixels.",
                "2: looks like a code, but is too blurred to be read.",
                "3: looks like a code, but is too blurred to be read.",
            ]
        )
        #expect(entries.contains { $0.hasPrefix("4: read: ") })
        #expect(entries.contains { $0.hasPrefix("5: not read in 3 ways: at best 70%") })
        #expect(!entries.contains { $0.contains("probably no code") })
        #expect(drawing.legend().filter { $0.ink == .red }.count == 3)
    }

    @Test("shows what looks like a code among ever so many that were read")
    func unreadAmongMany() {
        let candidates = (0..<30).map { Self.candidate($0, success: .grid) }
        let place = UnreadPlace(corners: Self.candidate(35).outline)
        let drawing = Self.drawing(candidates: candidates, symbols: 30, unread: [place])
        #expect(drawing.legend().contains { $0.text.hasPrefix("1: looks like a code") })
        #expect(Self.words(drawing).contains("and 19 more codes read"))
    }

    @Test(
        "says what the known modules tell",
        arguments: [(0.97, true, false), (0.9, true, false), (0.89, false, false)]
            + [(0.65, false, false), (0.64, false, true), (0.5, false, true)]
    )
    func reason(agreement: Double, isCovered: Bool, isNone: Bool) {
        let words = Self.words(Self.drawing(candidates: [Self.candidate(agreement: agreement)]))
        #expect(words.contains("covered or damaged") == isCovered)
        #expect(words.contains("probably no code") == isNone)
    }

    @Test("says to go nearer where only small squares were seen")
    func small() {
        func isNearer(_ modules: [Double], _ candidates: [ReadingExplanation.Candidate]) -> Bool {
            let drawing = Self.drawing(candidates: candidates, finders: Self.finders(modules))
            return Self.words(drawing).contains("go nearer")
        }
        #expect(isNearer([1.3], []) && isNearer([1.3, 1.2, 4], []))
        #expect(isNearer([1.3, 1.3], [Self.untried]))
        #expect(!isNearer([3], []) && !isNearer([1.3, 3, 4], [Self.untried]))
    }
}
