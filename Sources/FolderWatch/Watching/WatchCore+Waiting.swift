extension WatchCore {
    /// Waits for a file; nil if the watch is stopped or the task is cancelled.
    func take() async -> FileLedger.Taken? {
        let number = update { $0.makeNumber() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { state in
                    guard !Task.isCancelled else {
                        state.afterwards { continuation.resume(returning: nil) }
                        return
                    }
                    state.fileWaiters.append(
                        WatchState.Waiter(number: number, continuation: continuation)
                    )
                }
            }
        } onCancel: {
            update { state in
                guard let index = state.fileWaiters.firstIndex(where: { $0.number == number })
                else { return }
                let waiter = state.fileWaiters.remove(at: index)
                state.afterwards { waiter.continuation.resume(returning: nil) }
            }
        }
    }

    /// Records the outcome of a file.
    func conclude(_ file: WatchedFile, _ outcome: FileOutcome) {
        guard let news = update({ $0.ledger.newsSinceGiven(file) }) else { return }
        let look: FileLook =
            if case .troubled = outcome { .failed } else { system.look(file.path) }
        let now = system.now()
        update { $0.ledger.conclude(file, outcome, news: news, look: look, now: now) }
    }

    /// Waits until the waiters in this line are released, or the task is cancelled.
    func wait(in line: WatchState.WaitingLine) async {
        let number = update { $0.makeNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { state in
                    guard !Task.isCancelled else {
                        state.afterwards { continuation.resume() }
                        return
                    }
                    state[keyPath: line].append(
                        WatchState.Waiter(number: number, continuation: continuation)
                    )
                }
            }
        } onCancel: {
            update { state in
                guard let index = state[keyPath: line].firstIndex(where: { $0.number == number })
                else { return }
                let waiter = state[keyPath: line].remove(at: index)
                state.afterwards { waiter.continuation.resume() }
            }
        }
    }

    func waitUntilEnded() async {
        await withCheckedContinuation { continuation in
            update { $0.endWaiters.append(continuation) }
        }
    }

    func isResponding(within limit: Duration, by clock: any Clock<Duration>) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.waitForSign() }
            group.addTask {
                try? await clock.sleep(for: limit)
                return false
            }
            let isResponding = await group.next() ?? false
            group.cancelAll()
            return isResponding
        }
    }

    /// Waits for the thread to answer.
    ///
    /// - Returns: Whether it did; false if the watch has ended or the task is cancelled.
    private func waitForSign() async -> Bool {
        let number = update { $0.makeNumber() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { state in
                    guard !Task.isCancelled else {
                        state.afterwards { continuation.resume(returning: false) }
                        return
                    }
                    state.probes[number] = continuation
                }
            }
        } onCancel: {
            update { state in
                guard let probe = state.probes.removeValue(forKey: number) else { return }
                state.afterwards { probe.resume(returning: false) }
            }
        }
    }

    func statusChanges() -> AsyncStream<WatchStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: WatchStatus.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = update { state in
            let number = state.makeNumber()
            let observer = StatusObserver(continuation: continuation)
            state.observers[number] = observer
            let status = state.status
            state.afterwards { observer.tell(status, number) }
            return number
        }
        continuation.onTermination = { [weak self] _ in
            self?.update { _ = $0.observers.removeValue(forKey: number) }
        }
        return stream
    }
}
