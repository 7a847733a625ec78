"""Texts of wallet addresses with their checks: base58check, bech32 and the mixed case of Ethereum."""
import hashlib

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def base58check(payload):
    """Base58 text of payload plus its four byte double SHA-256 check."""
    data = payload + hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]
    n, out = int.from_bytes(data, "big"), ""
    while n:
        n, r = divmod(n, 58)
        out = BASE58[r] + out
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + out


def bech32(hrp, values, constant=1):
    """Bech32 (constant 1) or bech32m text of five-bit values."""
    expanded = [ord(c) >> 5 for c in hrp] + [0] + [ord(c) & 31 for c in hrp]
    chk = 1
    for v in expanded + values + [0] * 6:
        top, chk = chk >> 25, (chk & 0x1FFFFFF) << 5 ^ v
        for i, g in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            chk ^= g if top >> i & 1 else 0
    chk ^= constant
    return hrp + "1" + "".join(BECH32[v] for v in values + [chk >> 5 * (5 - i) & 31 for i in range(6)])


def keccak256(data):
    """Keccak-256 (not SHA-3), for the mixed case of Ethereum addresses."""
    mask, state = (1 << 64) - 1, [[0] * 5 for _ in range(5)]

    def turn(v, n):
        return (v << n | v >> 64 - n) & mask if n else v
    block = bytearray(data + b"\1" + b"\0" * (135 - len(data) % 136))
    block[-1] |= 0x80
    for off in range(0, len(block), 136):
        for i in range(17):
            state[i % 5][i // 5] ^= int.from_bytes(block[off + 8 * i:off + 8 * i + 8], "little")
        lfsr = 1
        for _ in range(24):
            c = [s[0] ^ s[1] ^ s[2] ^ s[3] ^ s[4] for s in state]
            for x in range(5):
                d = c[x - 1] ^ turn(c[(x + 1) % 5], 1)
                state[x] = [v ^ d for v in state[x]]
            x, y, cur = 1, 0, state[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                cur, state[x][y] = state[x][y], turn(cur, (t + 1) * (t + 2) // 2 % 64)
            for y in range(5):
                row = [state[x][y] for x in range(5)]
                for x in range(5):
                    state[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5])
            for j in range(7):
                lfsr = (lfsr << 1 ^ (lfsr >> 7) * 0x171) % 256
                if lfsr & 2:
                    state[0][0] ^= 1 << (1 << j) - 1
    return b"".join(state[i % 5][i // 5].to_bytes(8, "little") for i in range(4))


def eip55(hex40):
    digest = keccak256(hex40.encode()).hex()
    return "0x" + "".join(c.upper() if int(h, 16) > 7 else c for c, h in zip(hex40, digest))
