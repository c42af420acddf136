internal import Glibc
internal import Synchronization
internal import SystemSupport

/// A stretch of network between clients and a server: it passes on what comes, late, in part or not at all.
///
/// It is for all that goes over TCP on one machine. What it swallows, the kernel has confirmed to its
/// sender; a line that is dead for the kernels too needs ``TestNetwork``.
package final class TestRelay: Sendable {
    /// Where bytes come from.
    package enum Side: Hashable, Sendable, CaseIterable {
        case client, server
    }

    /// What becomes of a connection.
    package struct Course: Sendable {
        /// What comes after the last byte that passes.
        package enum End: Hashable, Sendable, CaseIterable {
            /// Both sides hear that the other one has closed.
            case close
            /// Both sides hear that the connection is broken.
            case reset
            /// Nothing passes any more, and nobody hears of it.
            case silence
            /// What comes from this side is lost, while the other side is still heard.
            case loss
        }

        /// The side whose bytes are counted.
        package var side = Side.client
        /// How many of them pass; nil for all.
        package var bytes: Int?
        package var end = End.close
        /// By how much all that passes is late.
        package var delay = Duration.zero

        package init() {}

        /// A connection that ends after so many bytes of a side.
        package init(after bytes: Int, of side: Side, _ end: End = .close) {
            (self.side, self.bytes, self.end) = (side, bytes, end)
        }

        /// A connection on which all is late.
        package init(delay: Duration) {
            self.delay = delay
        }
    }

    /// How many bytes of a connection have passed.
    package struct Traffic: Hashable, Sendable {
        package internal(set) var client = 0
        package internal(set) var server = 0
    }

    /// What the threads share.
    struct Orders: Sendable {
        var usual = Course()
        var next: [Course] = []
        var isSilent = false
        var refuses = false
        /// Connections with lower numbers are to be closed.
        var cut = 0
        var traffic: [Traffic] = []
        var isEnded = false
    }

    /// The port for clients, on 127.0.0.1.
    package let port: Int

    private let core: RelayCore

    /// Makes a relay to a port on 127.0.0.1, whether somebody listens there or not.
    ///
    /// - Parameter port: The port of the server.
    /// - Throws: What the system says if there is no socket.
    package init(to port: Int) throws {
        let listener = try Socket.listener()
        self.port = listener.port
        let core = RelayCore(listener: listener.descriptor, target: port)
        self.core = core
        DetachedThread.startPatiently { core.run() }
    }

    deinit {
        core.order { $0.isEnded = true }
    }

    /// What becomes of connections for which nothing else is said.
    package var usual: Course {
        get { core.orders { $0.usual } }
        set { core.order { $0.usual = newValue } }
    }

    /// Says what becomes of the next connections, one after the other.
    package func plan(_ courses: Course...) {
        core.order { $0.next = courses }
    }

    /// Cuts all connections that there are now.
    package func cut() {
        core.order { $0.cut = $0.traffic.count }
    }

    /// Whether nothing passes, on any connection, and nobody hears of it; new ones are taken and kept.
    package var isSilent: Bool {
        get { core.orders { $0.isSilent } }
        set { core.order { $0.isSilent = newValue } }
    }

    /// Whether every new connection is closed at once.
    package var refuses: Bool {
        get { core.orders { $0.refuses } }
        set { core.order { $0.refuses = newValue } }
    }

    /// What has passed on each connection so far, in their order.
    package var traffic: [Traffic] { core.orders { $0.traffic } }
}
