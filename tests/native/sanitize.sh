#!/usr/bin/env bash
# The extension under the sanitizers, then under valgrind, in a copy of the repository that is removed again.
#
#   tests/native/sanitize.sh            all of it, with the tests of this folder
#   tests/native/sanitize.sh asan       AddressSanitizer and UndefinedBehaviorSanitizer: the tests of this folder
#   tests/native/sanitize.sh small      the same with blocks of 8 rows, so that few rows already make several blocks
#   tests/native/sanitize.sh valgrind   one scenario a backend, and guards that trap
#
# Needs GCC (Linux), and valgrind for the last. PYTHON names the interpreter (default python3, with the test packages).
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
what=${1:-all}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r detcheck tests scenarios pyproject.toml "$copy"
rm -f "$copy"/detcheck/_native/*.so
cd "$copy"

include=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
pinned="-std=c11 -ffp-contract=off -fno-associative-math -fno-math-errno -fno-trapping-math"
warnings="-Wall -Wextra -Werror"
ours='(by|at) 0x[0-9A-F]+: (dc_|machine_|core_|fixed_|wrapping_|float_|q16_|i32_|u32_)'
sources="module.c machine.c draws.c plan.c loops_baseline.c loops_avx2.c"

build() {
    (cd detcheck/_native && gcc $pinned $warnings "$@" -fPIC -shared -DPy_LIMITED_API=0x030b0000 -I"$include" \
        $sources -o core.abi3.so -lm)
}

sanitized() {
    echo "== sanitizers $*"
    build -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow \
        -fno-sanitize-recover=all "$@"
    # Python itself never frees all it has, so leaks are valgrind's part; a machine without memory is refused by malloc
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
        ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONMALLOC=malloc \
        "$python" -m pytest -q -p no:cacheprovider tests/native -k "not canaries"
}

checked() {
    echo "== valgrind"
    build -O2 -g
    cat >replay.py <<'EOF'
import sys
from pathlib import Path
from detcheck.engine.native import NativeExecutor
from detcheck.scenario.compile import compile_scenario
from detcheck.scenario.load import load

scenario = load(Path("scenarios/skirmish.toml"))
for backend in scenario.backends:
    for loops in ("baseline", "auto"):
        executor = NativeExecutor(compile_scenario(scenario, backend), loops)
        executor.setup()
        executor.advance(40)
        print(backend, executor.loops, executor.tick, executor.draws())

sys.path[:0] = ["tests/native", "tests/strategies"]
from native_outcomes import outcome
from test_native_machine import GUARDED, TRAPPING_GUARDS

for where in TRAPPING_GUARDS:  # nothing may be written behind the list of active rows
    Path("guarded.toml").write_text(
        GUARDED.format(backend="fixed_point_16_16", where=where.format(rows=3), rows=3), encoding="utf-8"
    )
    print(outcome(NativeExecutor(compile_scenario(load(Path("guarded.toml")), "fixed_point_16_16")), 2)[-1][0])
EOF
    # CPython has findings of its own here (python -c pass has); what counts is a stack with a frame of ours in it
    PYTHONMALLOC=malloc valgrind --quiet --leak-check=full --show-leak-kinds=definite,indirect \
        "$python" replay.py 2>valgrind.txt
    if grep -nE "$ours" valgrind.txt; then
        echo "valgrind names the extension" >&2
        exit 1
    fi
}

case "$what" in
asan) sanitized ;;
small) sanitized -DDC_BLOCK=8u ;;
valgrind) checked ;;
all)
    sanitized
    sanitized -DDC_BLOCK=8u
    checked
    ;;
*)
    sed -n '2,9p' "$0"
    exit 2
    ;;
esac
