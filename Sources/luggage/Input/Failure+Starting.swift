internal import LuggageService
internal import ObjectStore
internal import ProgramSupport

extension Failure {
    /// The failure to start a service, which is told to the service manager, for `systemctl status`.
    init(starting error: any Error, in environment: [String: String]) {
        self.init(starting: error)
        let notifier = ServiceNotifier(environment: environment)
        let status = (error as? ConfigurationError)?.line ?? message
        let number = (error as? FilingError)?.number ?? 0
        if number == 0 {
            notifier.send(.status(status))
        } else {
            notifier.send(.status(status), .failed(number))
        }
    }

    /// The failure to start a service.
    init(starting error: any Error) {
        switch error {
        case let error as ConfigurationError: self.init(error)
        case let error as FolderInUse: self.init(.cannotCreate, error.description)
        case let error as FilingError:
            self.init(error.isRefusal ? .configuration : .cannotCreate, error.message)
        case let error as StoreError: self.init(error)
        case let error as Failure: self = error
        default: self.init(.ioFailed, "\(error)")
        }
    }
}
