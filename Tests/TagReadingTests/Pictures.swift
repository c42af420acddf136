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

    static let helloPayload = Array("HELLO TAG".utf8)

    /// The good picture without its last bytes.
    static func truncated(by count: Int) -> [UInt8] {
        hello.dropLast(count)
    }

    private static func decode(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
    }
}
