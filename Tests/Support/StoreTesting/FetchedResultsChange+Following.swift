package import ObjectStore

extension FetchedResultsChange {
    /// What a table shows after the change that has followed all before.
    ///
    /// - Parameter ids: What it has shown until then.
    /// - Returns: What it shows, which is ``ids`` if the positions are right.
    package func applied(to ids: [ObjectID]) -> [ObjectID] {
        var table = ids
        for position in (deleted + moved.map(\.from)).sorted(by: >) {
            table.remove(at: position)
        }
        let arrivals = inserted.map { ($0, self.ids[$0]) } + moved.map { ($0.to, ids[$0.from]) }
        for (position, id) in arrivals.sorted(by: { $0.0 < $1.0 }) {
            table.insert(id, at: position)
        }
        return table
    }
}
