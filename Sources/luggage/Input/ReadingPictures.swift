internal import Foundation
internal import LuggageTags
internal import TagReading

extension ReaderPool {
    /// A pool of the reader processes that belong to this program.
    static func beside() throws -> ReaderPool {
        do throws(ReadError) {
            return ReaderPool(executable: try locateExecutable())
        } catch {
            throw Failure(.configuration, error.message)
        }
    }

    /// Opens and reads a picture.
    func result(of picture: PictureFinder.Picture) async -> Result<Reading, ReadError> {
        do throws(ReadError) {
            return .success(try await read(TagImage(path: picture.path, name: picture.name)))
        } catch {
            return .failure(error)
        }
    }

    /// Opens and reads a picture, with everything that is needed to file it.
    func scan(
        _ picture: PictureFinder.Picture,
        at point: Point,
        station: String?,
        timestamp: Timestamp
    ) async -> PictureScan {
        do throws(ReadError) {
            let image = try TagImage(path: picture.path, name: picture.name)
            let digest = try image.digest()
            let reading: Result<Reading, ReadError>
            do throws(ReadError) {
                reading = .success(try await read(image))
            } catch {
                reading = .failure(error)
            }
            return PictureScan(
                name: picture.name,
                digest: digest,
                reading: reading,
                point: point,
                station: station,
                date: timestamp.date(of: image)
            )
        } catch {
            return PictureScan(
                name: picture.name,
                digest: "",
                reading: .failure(error),
                point: point,
                station: station,
                date: Date()
            )
        }
    }
}
