internal import Foundation
internal import TestFolders
internal import TestProcesses

/// An authority that certifies servers and clients of tests.
package final class TestAuthority: Sendable {
    /// A certificate and its key, as files.
    package struct Certificate: Sendable {
        package let certificate: String
        package let key: String
    }

    private let folder: TemporaryFolder

    /// The file with its own certificate, by which the others are checked.
    package var path: String { folder.path("authority.crt") }

    /// The authority of all hubs that are given no other.
    package static let shared = Result {
        try TestAuthority()
    }

    /// Makes an authority that nobody trusts yet.
    package init() throws {
        folder = try HubFolders.make("authority")
        try runToEnd(
            Self.request + [
                "-subj", "/CN=Authority of tests", "-days", "30", "-keyout",
                folder.path("authority.key"),
                "-out", path,
            ]
        )
    }

    /// Certifies somebody.
    ///
    /// - Parameters:
    ///   - name: The common name: a role, or the first name of a host.
    ///   - hosts: Names and addresses of a host, as `DNS:localhost` and `IP:127.0.0.1`.
    ///   - isExpired: Whether the certificate is of yesterday.
    /// - Returns: The files.
    /// - Throws: ``TestHubError`` if `openssl` is missing or does not do it.
    package func certificate(
        for name: String,
        hosts: [String] = [],
        isExpired: Bool = false
    ) throws -> Certificate {
        let base = folder.path(UUID().uuidString)
        let certificate = Certificate(certificate: "\(base).crt", key: "\(base).key")
        let escaped = name.replacing("\\", with: "\\\\").replacing("/", with: "\\/")
        let extensions = try folder.write(
            hosts.isEmpty ? "" : "subjectAltName=\(hosts.joined(separator: ","))\n",
            to: "\(UUID().uuidString).txt"
        )
        // Unlike `req -x509`, these two make what has expired.
        try runToEnd(
            Self.request.filter { $0 != "-x509" } + [
                "-utf8", "-subj", "/CN=\(escaped)", "-keyout", certificate.key, "-out",
                "\(base).csr",
            ]
        )
        try runToEnd([
            "openssl", "x509", "-req", "-in", "\(base).csr", "-CA", path, "-CAkey",
            folder.path("authority.key"), "-days", isExpired ? "-1" : "30", "-extfile",
            extensions,
            "-out", certificate.certificate,
        ]
        )
        return certificate
    }

    private static let request = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-batch",
    ]
}
