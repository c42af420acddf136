package import FoundationEssentials

/// What a record derives from its facts, as rows for people who ask a database.
///
/// They replace the rows with the same keys: a bag, and all of its journeys; a sighting.
package struct PublishedRows: Codable, Hashable, Sendable {
    package struct Bag: Codable, Hashable, Sendable {
        /// The identifier.
        package var id: UUID
        /// The initial of the owner.
        package var givenName: String?
        /// The beginning of the owner's family name.
        package var familyName: String?
        /// The weight in pounds.
        package var weight: Float?
        /// When it departed on its last journey.
        package var departedAt: Date?
        /// When it arrived on its last journey; nil while it is under way.
        package var arrivedAt: Date?
        /// Its journeys, in order.
        package var journeys: [Journey]
    }

    /// One journey of a bag.
    package struct Journey: Codable, Hashable, Sendable {
        /// Its number among the journeys of the bag, from 1.
        package var number: Int
        /// When the bag departed; nil if nobody saw it.
        package var departedAt: Date?
        /// When the bag arrived; nil while it is under way.
        package var arrivedAt: Date?
        /// The points at which the bag was seen under way, in order.
        package var points: [Point]
    }

    /// One scan: of a tag, or of a picture without one.
    package struct Sighting: Codable, Hashable, Sendable {
        /// The identifier of the scan.
        package var fact: UUID
        /// The bag; nil if no tag was read.
        package var bag: UUID?
        /// The name of the station.
        package var station: String
        /// The point at which the bag was.
        package var point: Point
        /// What the point says about a journey.
        package var role: Point.Role
        /// The time.
        package var scannedAt: Date
        package var outcome: Outcome
        /// The stable error code; empty if there was no error.
        package var reason: String
        /// Whether it counts: it was not undone, and is no repetition of another.
        package var counts: Bool
        /// Whether a person typed the tag.
        package var isTyped: Bool
    }

    /// Bags that are new or have changed.
    package var bags: [Bag] = []
    /// Sightings that are new or have changed.
    package var sightings: [Sighting] = []
    /// Bags that are no longer on record.
    package var goneBags: [UUID] = []
    /// Sightings that are no longer on record.
    package var goneSightings: [UUID] = []

    /// After how many seconds a missing bag is overdue; nil if nobody says.
    package var overdue: TimeInterval?

    /// Rows of bags and sightings; nothing is gone.
    package init(bags: [Bag] = [], sightings: [Sighting] = []) {
        (self.bags, self.sightings) = (bags, sightings)
    }

    /// Whether there is nothing in it.
    package var isEmpty: Bool {
        bags.isEmpty && sightings.isEmpty && goneBags.isEmpty && goneSightings.isEmpty
    }

    /// The rows as JSON, with times as ISO 8601 in UTC with milliseconds.
    package var json: String {
        get throws { String(decoding: try JSONEncoder.forReports().encode(self), as: UTF8.self) }
    }
}
