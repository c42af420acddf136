import Foundation
import TagReading

/// Pictures to read, as bytes.
enum Pictures {
    /// A QR symbol of "HELLO TAG", 87 x 87 pixels.
    static let hello = decode(
        """
        iVBORw0KGgoAAAANSUhEUgAAAFcAAABXAQAAAABZs+TBAAAAsUlEQVR42s2TsRHDIAxFlbig8wS6Yw06VoIF7Exgr0
        THGtx5AdNRcChKCieV1FqVinef/78OoGsG3GI/ARboAHY84Tf/O1ClvhhcSWQSLq4HozFeZ4JDhWE/0GU/nCtmlHPx
        nP7bg8CkDr5Ekanp2BzO4lvjA0yUJZ1hpr1hTKIf4n7snknJ5Q4Sdbif4ApLaT2XRybt7rY25aZc4MspOjHB7En2w0
        ffvJJrbUr2e/3BN1IQmR2J02MnAAAAAElFTkSuQmCC
        """
    )

    /// The modules of that symbol.
    static let modules: [[Bool]] = """
        #######..###..#######
        #.....#..##.#.#.....#
        #.###.#..#.#..#.###.#
        #.###.#..#....#.###.#
        #.###.#.##.##.#.###.#
        #.....#..###..#.....#
        #######.#.#.#.#######
        ........##...........
        ..##..####...##.#....
        #.##.#.#.#.##.##.####
        .#.##.##.#####....#..
        .##.##.#...##.#.#.##.
        ....#.#.##.##..#..#..
        ........##.#.#....##.
        #######.##.#.##.##.##
        #.....#..###.####.#..
        #.###.#..#.##...#..##
        #.###.#.#......###.#.
        #.###.#.#.######.#...
        #.....#.....#..#.#...
        #######....#.#....##.
        """.split(separator: "\n").map { $0.map { $0 == "#" } }

    /// That symbol, four pixels a module, with its quiet zone.
    static func draw(with writer: PNGWriter, isInverted: Bool = false) -> [UInt8] {
        let side = 4 * (modules.count + 8)
        return writer.write(width: side, height: side) { x, y in
            let (column, row) = (x / 4 - 4, y / 4 - 4)
            let isInside = modules.indices.contains(row) && modules.indices.contains(column)
            return (isInside && modules[row][column]) != isInverted
        }
    }

    static let helloPayload = Array("HELLO TAG".utf8)

    /// The good picture without its last bytes.
    static func truncated(by count: Int) -> [UInt8] {
        hello.dropLast(count)
    }

    private static func decode(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
    }
}
