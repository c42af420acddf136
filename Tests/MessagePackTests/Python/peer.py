"""The Python package msgpack as a peer.

peer.py repack               reads messages in hexadecimal, a line each; decodes them and writes
                             what they are encoded to again.
peer.py generate SEED COUNT  writes messages in hexadecimal and the same values as JSON, with a tab
                             between them.
"""

import json
import random
import sys

import msgpack


def repack():
    for line in sys.stdin:
        message = bytes.fromhex(line)
        value = msgpack.unpackb(message, strict_map_key=False, timestamp=0)
        print(msgpack.packb(value).hex())


def generated(source, depth):
    kind = source.randrange(9 if depth else 6)
    if kind == 0:
        return source.choice([None, True, False])
    if kind in (1, 2):
        return source.choice([1, -1]) * (source.getrandbits(63) >> source.randrange(63))
    if kind == 3:
        # Never whole, so that JSON cannot take it for an integer.
        return source.randrange(-1000000, 1000000) + source.choice([0.5, 0.125, 0.375])
    if kind in (4, 5):
        return "".join(source.choice('abc "\\\n\u00e9\u0418\u6f22\U0001f9f3') for _ in range(length(source)))
    if kind == 6:
        return [generated(source, depth - 1) for _ in range(length(source))]
    return {
        "%s%d" % (source.choice("abc\u00e9"), number): generated(source, depth - 1)
        for number in range(length(source))
    }


def length(source):
    return source.choice([0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 40])


def generate(seed, count):
    source = random.Random(seed)
    for _ in range(count):
        value = generated(source, 2)
        print(msgpack.packb(value).hex(), json.dumps(value), sep="\t")


if sys.argv[1] == "repack":
    repack()
else:
    generate(int(sys.argv[2]), int(sys.argv[3]))
