"""xxh3_64 and xxh3_128 (seed 0) in plain integers, written from the published algorithm: held against the library."""

from __future__ import annotations

M32, M64, M128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
PMX1, PMX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8"
    "fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def r32(data: bytes, at: int = 0) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def r64(data: bytes, at: int = 0) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def swap(value: int, size: int) -> int:
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def fold(a: int, b: int) -> int:
    product = a * b
    return (product & M64) ^ (product >> 64)


def avalanche(h: int) -> int:
    h ^= h >> 37
    h = h * PMX1 & M64
    return h ^ (h >> 32)


def avalanche64(h: int) -> int:
    h ^= h >> 33
    h = h * P64_2 & M64
    h ^= h >> 29
    h = h * P64_3 & M64
    return h ^ (h >> 32)


def mix16(data: bytes, at: int, secret: int) -> int:
    return fold(r64(data, at) ^ r64(SECRET, secret), r64(data, at + 8) ^ r64(SECRET, secret + 8))


def xxh3_64(data: bytes) -> int:
    n = len(data)
    if n == 0:
        return avalanche64(r64(SECRET, 56) ^ r64(SECRET, 64))
    if n <= 3:
        combined = (data[0] << 16) | (data[n >> 1] << 24) | data[n - 1] | (n << 8)
        return avalanche64(combined ^ (r32(SECRET) ^ r32(SECRET, 4)))
    if n <= 8:
        keyed = (r32(data, n - 4) + (r32(data) << 32)) ^ r64(SECRET, 8) ^ r64(SECRET, 16)
        keyed ^= ((keyed << 49 | keyed >> 15) ^ (keyed << 24 | keyed >> 40)) & M64
        keyed = keyed * PMX2 & M64
        keyed ^= (keyed >> 35) + n & M64
        keyed = keyed * PMX2 & M64
        return keyed ^ (keyed >> 28)
    if n <= 16:
        low = r64(data) ^ r64(SECRET, 24) ^ r64(SECRET, 32)
        high = r64(data, n - 8) ^ r64(SECRET, 40) ^ r64(SECRET, 48)
        return avalanche((n + swap(low, 8) + high + fold(low, high)) & M64)
    if n <= 128:
        acc = n * P64_1 & M64
        for i in range((n - 1) // 32, -1, -1):
            acc += mix16(data, 16 * i, 32 * i) + mix16(data, n - 16 * (i + 1), 32 * i + 16)
        return avalanche(acc & M64)
    if n <= 240:
        acc = n * P64_1 & M64
        for i in range(8):
            acc += mix16(data, 16 * i, 16 * i)
        acc = avalanche(acc & M64)
        for i in range(8, n // 16):
            acc += mix16(data, 16 * i, 16 * (i - 8) + 3)
        return avalanche((acc + mix16(data, n - 16, 136 - 17)) & M64)
    return merge(accumulate(data), 11, n * P64_1 & M64)


def xxh3_128(data: bytes) -> int:
    """Only the empty and the long form: what the committed values need."""
    n = len(data)
    if n == 0:
        low = avalanche64(r64(SECRET, 64) ^ r64(SECRET, 72))
        return avalanche64(r64(SECRET, 80) ^ r64(SECRET, 88)) << 64 | low
    if n <= 240:
        raise NotImplementedError
    acc = accumulate(data)
    low = merge(acc, 11, n * P64_1 & M64)
    return merge(acc, len(SECRET) - 64 - 11, ~(n * P64_2) & M64) << 64 | low


def accumulate(data: bytes) -> list[int]:
    acc = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]
    stripes = (len(SECRET) - 64) // 8
    block = 64 * stripes
    blocks = (len(data) - 1) // block
    for b in range(blocks):
        for s in range(stripes):
            stripe(acc, data, b * block + 64 * s, 8 * s)
        for i in range(8):
            acc[i] = (acc[i] ^ (acc[i] >> 47) ^ r64(SECRET, len(SECRET) - 64 + 8 * i)) * P32_1 & M64
    for s in range((len(data) - 1 - block * blocks) // 64):
        stripe(acc, data, blocks * block + 64 * s, 8 * s)
    stripe(acc, data, len(data) - 64, len(SECRET) - 64 - 7)
    return acc


def stripe(acc: list[int], data: bytes, at: int, secret: int) -> None:
    for i in range(8):
        value = r64(data, at + 8 * i)
        key = value ^ r64(SECRET, secret + 8 * i)
        acc[i ^ 1] = (acc[i ^ 1] + value) & M64
        acc[i] = (acc[i] + (key & M32) * (key >> 32)) & M64


def merge(acc: list[int], secret: int, start: int) -> int:
    for i in range(4):
        start += fold(acc[2 * i] ^ r64(SECRET, secret + 16 * i), acc[2 * i + 1] ^ r64(SECRET, secret + 16 * i + 8))
    return avalanche(start & M64)
