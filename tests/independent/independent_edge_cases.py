"""Programs over the ends of every type, over draws in every order, and over scripted players."""

from __future__ import annotations

from independent_cases import COLUMNS, FIXED, FLOAT, Case, chosen

INTEGERS = (
    *("0", "1", "-1", "2", "-2", "7", "-7", "31", "32", "33", "-31", "-32"),
    *("2147483647", "-2147483648", "-2147483647", "65536", "-65537"),
)
RAWS = (
    *("0", "1", "-1", "2", "-2", "3", "-3", "32768", "-32768", "65535", "65536", "-65536", "98304", "-98304"),
    *("2147483647", "-2147483648", "-2147483647", "2147450880", "1073741824", "11862016", "-11862017", "46341"),
    *("3037000", "163840", "-163840", "229376"),
)
PATTERNS = (
    *("0", "0x80000000", "0x7f800000", "0xff800000", "0x7fc00000", "0xffc00001", "0x7f800001", "1", "0x80000001"),
    *("0x007fffff", "0x00800000", "0x80800000", "0x7f7fffff", "0xff7fffff", "0x3f800000", "0xbf800000", "0x3f7fffff"),
    *("0x3f800001", "0x3f000000", "0xbf000000", "0x3fc00000", "0x40490fdb", "0x3fc90fdb", "0x4b7fffff", "0x4b800001"),
    *("0x4effffff", "0x4f000000", "0xcf000000", "0x4f7fffff", "0xb3000000", "0x42c80000", "0xcd000001", "0x5a000000"),
    *("0xd5cd3068", "0xdbd3d943", "0x5b123456", "0xda345678", "0x5c000123", "0x60000123"),
)
ANGLES = (
    *("0", "1", "1048575", "1048576", "123456789", "1073741823", "1073741824", "1073741825", "2147483647"),
    *("2147483648", "2147483649", "3221225471", "3221225472", "3221225473", "4294967295"),
)

#: another row at every tick, whose value is k
OTHER = "k = unit[(row + tick * 7 + 3) % rows]"
RESULTS = "r0: i32, r1: i32, r2: i32, r3: i32, r4: i32, r5: i32, r6: i32, r7: i32, r8: i32, r9: i32"
INTEGER_PAIRS = "; ".join(
    [
        f"{OTHER}.i; d = 3 if k == 0 else k",
        *(f"r{n} = i {op} k" for n, op in enumerate(("+", "-", "*", "&", "|", "^", "<<", ">>"))),
        "r8 = i // d; r9 = i % d; p = angle(u32(i)) < angle(u32(k)); t = angle(u32(k)) * i",
        *(f"u = u * 31 + u32(i) {op} u32(k)" for op in ("+", "-", "*", "&", "|", "^", "<<", ">>")),
        "u = u * 31 + u32(i) // u32(d); u = u * 31 + u32(i) % u32(d)",
        *(f"j = j * 2 + i32(i {op} k); j = j * 2 + i32(u32(i) {op} u32(k))" for op in ("<", "<=", ">", "==", "!=")),
    ]
)
INTEGER_ALONE = (
    "a = num(i); b = num(u32(i)); r0 = round(a); r1 = round(b / 3); r2 = abs(i); r3 = -i; r4 = i32(-u32(i)); "
    "t = -angle(u32(~i))"
)
NUMBER_PAIRS = (
    f"{OTHER}.a; d = 1 if k == 0 else k; v = vec2(a + k, a - k); w = vec3(a * k, a / d, lerp(a, k, 0.3)); "
    "b = min(a, k) - max(k, a); t = heading(vec2(a, k)); j = i32(a < k) + i32(a <= k) * 2 + i32(a == k) * 4"
)
NUMBER_ALONE = (
    "v = vec2(-a, abs(a)); w = vec3(floor(a), ceil(a), a * a); i = round(a); "
    "j = i32(is_nan(a)) + 2 * i32(is_inf(a)) + 4 * i32(is_finite(a))"
)
FLOAT_PAIRS = (
    f"{OTHER}.a; v = vec2(a / k, atan2(a, k)); w = vec3(distance(vec2(a, k), vec2(k, k)), normalize(vec2(a, k)).y, "
    "dot(vec2(a, k), vec2(a, k))); b = clamp(a, -1.5, 2); p = vec2(a, k) == vec2(k, a); "
    "i = i32(a != k) + 2 * i32(vec2(a, a) != vec2(a, a)); t = heading(vec2(a, k))"
)
FLOAT_ALONE = (
    "v = vec2(sin(a), cos(a)); s, c = sincos(a); w = vec3(s, c, asin(a)); b = acos(a); u = u32(round(sqrt(a))); "
    "b = clamp(b, -0.0, 0.0)"
)

ENDS = (
    Case(
        "integer pairs",
        INTEGER_PAIRS,
        setup=f"i = {chosen(INTEGERS)}",
        rows=len(INTEGERS),
        columns=f"{COLUMNS}, {RESULTS}",
        ticks=3,
    ),
    Case("integers", INTEGER_ALONE, setup=f"i = {chosen(INTEGERS)}", columns=f"{COLUMNS}, {RESULTS}", rows=17, ticks=1),
    *(
        Case(f"{name} of raws", do, setup=setup, rows=len(RAWS), ticks=2, backends=FIXED)
        for setup in (f"a = {chosen([f'raw({raw})' for raw in RAWS])}",)
        for name, do in (("pairs", NUMBER_PAIRS), ("numbers", NUMBER_ALONE), ("roots", "b = sqrt(max(a, 0))"))
    ),
    *(
        Case(f"{name} of patterns", do, setup=setup, rows=len(PATTERNS), ticks=2, backends=FLOAT)
        for setup in (f"a = {chosen([f'bits({pattern})' for pattern in PATTERNS])}",)
        for name, do in (
            *(("pairs", NUMBER_PAIRS), ("numbers", NUMBER_ALONE)),
            *(("more pairs", FLOAT_PAIRS), ("functions", FLOAT_ALONE)),
        )
    ),
    Case("sums of -0.0", "b = sum(unit.a); v = sum(unit.v)", setup="a = -0.0; v = vec2(-0.0, 0.0)", backends=FLOAT),
    Case("clamp to a NaN", "b = clamp(1, 0, a)", setup=f"a = bits({PATTERNS[4]})", backends=FLOAT),
    Case("clamp from an infinity", "b = clamp(1, a, 5)", setup=f"a = bits({PATTERNS[3]})", backends=FLOAT),
    Case(
        "sines at the ends",
        "t = angle(u); a, b = sincos(t); v = vec2(sin(t), cos(t)); t = heading(vec2(a, b))",
        setup=f"u = {chosen(ANGLES)}",
        rows=len(ANGLES),
        ticks=1,
    ),
    Case(
        "sines",
        "a, b = sincos(t); v = vec2(sin(t), cos(t)); t = heading(v) + heading(vec2(num(roll(-9, 9)), rand_unit()))",
        setup="t = angle(rand_u32())",
        rows=60,
    ),
    Case(
        "radians",
        "v = vec2(sin(a), cos(a)); s, c = sincos(b); w = vec3(s, c, atan2(a, b)); a = acos(v.x); b = asin(v.y)",
        setup="a = (rand_unit() - 0.5) * 300; b = num(roll(-2147483648, 2147483647)) * rand_unit() * 100000",
        rows=60,
        backends=FLOAT,
    ),
    *(
        Case(f"dt at {rate}", "a = dt; b = b * dt + dt; v = v * dt; t = turn(dt)", tick_rate=rate)
        for rate in (1, 7, 65535)
    ),
)

PLAYED = (
    Case(
        "players",
        "v = v + players[id % 2].move * dt; a = players[1].thr; i = players[id % 2].k; u = players[0].m; "
        "t = players[0].g; p = players[id % 2].fire; j = sum(players.k) + count(players.fire); w = players[1].w3",
        ticks=6,
    ),
    Case("a third player", "i = players[id].k"),
    Case("players before", "j = j + i", setup="i = players[1].k + tick + rows + players.rows"),
)

ORDERS = (
    "i = roll(0, 99) * 1000 + roll(0, 99); j = roll(0, 9) - roll(0, 9) * roll(0, 9)",
    "i = roll(0, 99) if roll(0, 1) == 1 else roll(100, 199)",
    "i = (roll(0, 9) if roll(0, 1) == 1 else roll(10, 19)) if p else (roll(20, 29) if roll(0, 9) < 5 else rows)",
    "v = vec2(num(roll(-9, 9)), rand_unit()); w = vec3(rand_unit(), num(roll(0, 9)), rand_unit())",
    "p = roll(0, 1) == 0 and roll(0, 1) == 0 or not roll(0, 1) == 1",
    "j = unit[roll(0, 4)].id + roll(0, 9); unit[roll(0, 4)].j += roll(1, 9)",
    "unit[roll(0, 4)].j -= roll(1, 9); unit[rand_u32() % 5].u += rand_u32()",
    "i = roll(roll(0, 3), roll(4, 9)); j = clamp(roll(0, 99), roll(0, 9), roll(50, 59))",
    "i += roll(0, 9); i *= roll(1, 3); v.x += rand_unit(); v.y *= rand_unit()",
    "p = roll(0, 9) < roll(0, 9); i = min(roll(0, 9), max(roll(0, 9), roll(0, 9)))",
    "a = lerp(rand_unit(), num(roll(0, 9)), rand_unit()); b = -rand_unit() + abs(num(roll(-5, 5)))",
    "q = roll(0, 9); k = 0 if True else roll(0, 9); i = q if False else 0 * roll(0, 9)",
    "i = roll(-2147483648, 2147483647); j = roll(-1, 2147483646); i = i + roll(2147483647, 2147483647)",
    "i = roll(-2147483648, -2147483648); j = roll(-1073741824, 1073741823); u = rand_u32()",
)
TWISTER = (
    "a = next_float(); u = next_int_inclusive(u % 9); u = u + next_int_inclusive(2147483648) * next_int_inclusive(0)"
)
SPLIT = "u = below(u % 9); u = u + below(4294967295) * (below(0) + below(1) + 1)"
RNGS = (
    *(('"mt19937"', seed, TWISTER) for seed in (0, 1, 4294967295)),
    *(('{ x87_precision = 24, kind = "mt19937" }', seed, TWISTER) for seed in (7, 4294967295)),
    *(('"splitmix64"', seed, SPLIT) for seed in (0, 1, 18446744073709551615)),
)

DRAWS = tuple(Case(f"draws of {rng} {seed}", rng=rng, seed=seed, systems=(*ORDERS, own)) for rng, seed, own in RNGS)
