/// What a browser asks for: as much of an HTTP request as the pages need.
package struct PageRequest: Sendable {
    /// What it wants to do.
    package enum Method: String, Sendable {
        /// To see something.
        case get = "GET"
        /// To know about something.
        case head = "HEAD"
        /// To change something.
        case post = "POST"
    }

    /// What it wants to do.
    package var method: Method
    /// The parts of the path, decoded; empty for the first page.
    package var path: [String]
    /// What stands behind the question mark, decoded.
    package var query: [String: String]
    /// The headers, by their names in lower case.
    package var headers: [String: String]
    /// The fields of a form, decoded.
    package var form: [String: String] = [:]

    /// Reads the first line of a request; nil if it makes no sense.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path with what follows it.
    ///   - headers: The headers, by their names in lower case.
    package init?(method: String, target: String, headers: [String: String] = [:]) {
        guard let method = Method(rawValue: method), target.first == "/",
            target.utf8.count <= Self.longestTarget
        else { return nil }
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for part in halves[0].split(separator: "/") {
            guard let text = part.decoded(isForm: false) else { return nil }
            path.append(text)
        }
        guard let query = Self.fields(halves.count > 1 ? halves[1] : "") else { return nil }
        (self.method, self.path, self.query, self.headers) = (method, path, query, headers)
    }

    private static let longestTarget = 2048
    private static let mostFields = 32

    /// Reads the fields of a form, or those behind a question mark; nil if they make no sense.
    package static func fields(_ text: some StringProtocol) -> [String: String]? {
        let parts = text.split(separator: "&")
        guard parts.count <= mostFields else { return nil }
        var fields: [String: String] = [:]
        for part in parts {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = halves[0].decoded(isForm: true),
                let value = halves.count > 1 ? halves[1].decoded(isForm: true) : ""
            else { return nil }
            fields[name] = value
        }
        return fields
    }

    /// The value of a cookie.
    package func cookie(_ name: String) -> String? {
        for part in headers["cookie"]?.split(separator: ";") ?? [] {
            let halves = part.split(separator: "=", maxSplits: 1)
            if halves.count == 2, halves[0].drop(while: { $0 == " " }) == name {
                return String(halves[1])
            }
        }
        return nil
    }

    /// Whether a page of this board has made the browser ask, as far as the browser tells.
    ///
    /// Every browser of the last years says so in `Sec-Fetch-Site`; older ones name the page's origin.
    package var comesFromOwnPage: Bool {
        if let site = headers["sec-fetch-site"] { return site == "same-origin" }
        guard let origin = headers["origin"], let host = headers["host"] else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// Whether the browser speaks to the server in front by HTTPS.
    package var isSecure: Bool { headers["x-forwarded-proto"] == "https" }
}

extension StringProtocol {
    /// The text without the escapes of URLs; nil if it is not UTF-8 then.
    fileprivate func decoded(isForm: Bool) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2,
                    let number = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(number)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(isForm && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
