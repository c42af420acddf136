/// The state shared by all encoders of one message.
final class EncodingSession {
    let options: MessagePackEncoder
    let userInfo: [CodingUserInfoKey: Any]

    /// Whether keys are written unchanged.
    let keepsKeys: Bool

    /// The first error in a place that could not throw.
    private(set) var failure: EncodingError?

    /// Whether there was such an error.
    private(set) var hasFailed = false

    init(options: MessagePackEncoder) {
        self.options = options
        userInfo = options.userInfo
        keepsKeys = if case .useDefaultKeys = options.keyEncodingStrategy { true } else { false }
    }

    private var outputs: [EncodingOutput] = []

    /// Makes an output that ends with the session.
    func makeOutput() -> EncodingOutput {
        let output = EncodingOutput()
        outputs.append(output)
        return output
    }

    /// Ends all outputs, because nested containers and the encoders around them refer to each other.
    func end() {
        for output in outputs { output.end() }
        outputs = []
    }

    func fail(_ error: EncodingError) {
        failure = failure ?? error
        hasFailed = true
    }
}
