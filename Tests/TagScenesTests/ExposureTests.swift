internal import Foundation
internal import SeededRandom
internal import TagDrawing
@testable internal import TagScenes
internal import Testing

@Suite("From light to a file")
struct ExposureTests {
    /// Colours that change slowly, at a size that no block divides.
    private var slope: LightImage {
        var image = LightImage(width: 37, height: 21)
        for row in 0..<21 {
            for column in 0..<37 {
                image[column, row] = SIMD4(0.2 + Float(column) / 60, 0.2 + Float(row) / 40, 0.4, 1)
            }
        }
        return image
    }

    @Test("JPEG of the best quality changes next to nothing", arguments: [true, false])
    func bestQuality(isGrey: Bool) {
        let exposure = Exposure(slope, isGrey: isGrey)
        let after = JPEGArtefacts(quality: 100).applied(to: exposure)
        #expect(after.planes.count == exposure.planes.count)
        // Halved colours cost more than rounding does.
        let limit: Float = isGrey ? 2 : 8
        for (plane, before) in zip(after.planes, exposure.planes) {
            #expect(zip(plane, before).allSatisfy { abs($0 - $1) <= limit })
        }
    }

    @Test("JPEG of the worst quality leaves blocks of one level")
    func worstQuality() {
        var exposure = Exposure(slope, isGrey: true)
        exposure.planes[0] = exposure.planes[0].map { 100 + $0 / 20 }
        let after = JPEGArtefacts(quality: 1).applied(to: exposure)
        for row in 0..<8 {
            for column in 0..<8 {
                #expect(abs(after.planes[0][row * 37 + column] - after.planes[0][0]) < 1e-3)
            }
        }
    }

    @Test("the worse the quality, the larger the error")
    func quality() {
        var generator = SeededGenerator(seed: 5)
        var exposure = Exposure(slope, isGrey: true)
        exposure.addNoise(deviation: 30, grain: 0, using: &generator)
        exposure.planes[0] = exposure.planes[0].map { min(max($0.rounded(), 0), 255) }
        let errors = [90, 50, 20, 5].map { quality in
            let after = JPEGArtefacts(quality: quality).applied(to: exposure)
            return zip(after.planes[0], exposure.planes[0]).reduce(0) { $0 + abs($1.0 - $1.1) }
        }
        #expect(errors == errors.sorted())
        #expect((errors.first ?? 0) > 0)
    }

    @Test("noise has the deviation asked for, in specks as well", arguments: [0, 0.8])
    func noise(grain: Double) {
        var generator = SeededGenerator(seed: 11)
        let grey = LightImage(width: 160, height: 120, light: SIMD4(0.2, 0.2, 0.2, 1))
        var exposure = Exposure(grey, isGrey: true)
        let level = exposure.planes[0][0]
        exposure.addNoise(deviation: 20, grain: grain, using: &generator)
        let count = Float(exposure.planes[0].count)
        let variance = exposure.planes[0].reduce(0) { $0 + ($1 - level) * ($1 - level) } / count
        #expect(abs(variance.squareRoot() - 20) < 2)
    }

    @Test("fading leaves the share of the contrast that was asked for")
    func fading() {
        var exposure = Exposure(slope, isGrey: true)
        exposure.planes[0][0] = 0
        exposure.planes[0][1] = 255
        exposure.fade(to: 100, contrast: 0.1)
        #expect(abs(exposure.planes[0][0] - 90) < 1e-4)
        #expect(abs(exposure.planes[0][1] - 115.5) < 1e-4)
    }

    @Test(
        "a grey picture is a grey file, a coloured one an RGB file",
        arguments: [(true, 0), (false, 2)]
    )
    func file(isGrey: Bool, colourType: UInt8) throws {
        let bytes = try Exposure(slope, isGrey: isGrey).png()
        #expect(Array(bytes[16..<26]) == [0, 0, 0, 37, 0, 0, 0, 21, 8, colourType])
    }
}

@Suite("What a set tells")
struct SceneTruthTests {
    @Test("a line of truth is read back as it was written")
    func roundTrip() throws {
        let picture = try SceneSet.tuning.picture(.severalTags, number: 0)
        let truth = SceneTruth(picture, file: "several-tags-000.png")
        let line = try truth.line()
        #expect(!line.contains("\n"))
        #expect(try JSONDecoder().decode(SceneTruth.self, from: Data(line.utf8)) == truth)
        #expect(truth.symbols.count == picture.symbols.count)
    }

    @Test("payloads take every form, each with its own identifier")
    func payloads() {
        var generator = SeededGenerator(seed: 3)
        let payloads = (0..<200).map { _ in TagPayload(using: &generator) }
        let texts = payloads.compactMap { String(validating: $0.bytes, as: UTF8.self) }
        let binary = payloads.filter { $0.bytes.first == 0x83 }
        #expect(Set(payloads.map(\.identifier)).count == 200)
        #expect(binary.count > 20)
        #expect(texts.contains { $0.hasPrefix(#"{ "id": ""#) })
        #expect(texts.contains { $0.hasPrefix(#"{"id":""#) })
        #expect(texts.contains { $0.contains("MÜL") })
        #expect(texts.contains { $0.contains("小龙") })
        for payload in payloads {
            #expect(UUID(uuidString: payload.identifier) != nil)
            #expect(payload.pounds > 0)
        }
    }

    @Test("MessagePack has the lengths it says")
    func messagePack() throws {
        var generator = SeededGenerator(seed: 3)
        let payload = try #require(
            (0..<50).lazy.map { _ in TagPayload(using: &generator) }
                .first { $0.bytes.first == 0x83 }
        )
        let names = payload.givenName.utf8.count + payload.familyName.utf8.count
        #expect(payload.bytes.count == 1 + 3 + 18 + 6 + 1 + 2 + names + 7 + 9)
    }
}
