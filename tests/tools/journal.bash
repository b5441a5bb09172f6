# journal.bash - journals written by hand

# Gives each line on standard input its number and its checksum.
sealed() {
	python3 -c '
import struct, sys
mask = (1 << 64) - 1
prime = 0x100000001b3
for n, line in enumerate(sys.stdin.buffer.read().splitlines(), 1):
    text = line.strip()[:-1] + b",\"n\":%d" % n
    h = 0xcbf29ce484222325
    whole = len(text) // 8 * 8
    for word, in struct.iter_unpack("=Q", text[:whole]):
        h = (h ^ word) * prime & mask
        h ^= h >> 29
    for byte in text[whole:]:
        h = (h ^ byte) * prime & mask
    h ^= h >> 32
    print("%s,\"check\":\"%016x\"}" % (text.decode(), h))
'
}
