/// What all encoders of one message share.
final class EncodingSession {
    let options: MessagePackEncoder
    let userInfo: [CodingUserInfoKey: Any]

    /// Whether keys are written as they are.
    let keepsKeys: Bool

    /// What went wrong where nothing could be thrown; the first of all.
    private(set) var failure: EncodingError?

    /// Whether anything did.
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

    /// Ends all outputs: nested containers and the encoders around them hold each other.
    func end() {
        for output in outputs { output.end() }
        outputs = []
    }

    func fail(_ error: EncodingError) {
        failure = failure ?? error
        hasFailed = true
    }
}
