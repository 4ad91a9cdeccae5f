#!/usr/bin/env python3
"""Compiles kernels to PTX and reads the instructions: the backend's test kernels, or those of one source.

Every access must name its memory (global, shared, param): a generic one is slower, and shows that the compiler lost
track of a pointer; local memory shows that registers were not enough or were indexed at run time. Every matrix
instruction must be there. Of one source --loop and --loop-without say what the loops of its kernels may cost,
--expect, --without and --registers what its kernels may have anywhere, --shared what a block may have of shared memory.
Exit code: 0 right, 1 wrong, 77 no nvcc.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(REPOSITORY / "tests/backend"), str(REPOSITORY / "docs/tools")]
from console import Arguments, ended  # noqa: E402
from loops import Different, Hidden, Limit, broken_limits, described  # noqa: E402

SOURCES = [
    "tests/backend/any/kernels.cpp",
    "tests/backend/any/matrix_kernels.cpp",
    "tests/backend/any/async_kernels.cpp",
]
INCLUDES = [
    "common/backend/cuda/include",
    "common/backend/any/include",
    "common/include",
    "common/harness",
    "tests/backend/any",
]
WANTED = {
    "VectorCopy<float, 4>": r"ld\.global\.v4",
    "Transpose": r"st\.shared\.v4",
    "RegisterTileGemm": r"ld\.shared\.v4",
    "Reverse": r"bar\.sync|barrier\.sync",
    "LoadMatrixGemm": r"ldmatrix\.sync\.aligned\.m8n8\.x4\.shared\.b16",
    "AsyncTile<4 bytes>": r"cp\.async\.ca\.shared\.global \[%r\d+\], \[%rd\d+\], 4, %r\d+;",
    "AsyncTile<8 bytes>": r"cp\.async\.ca\.shared\.global \[%r\d+\], \[%rd\d+\], 8, %r\d+;",
    "AsyncTile<16 bytes>": r"cp\.async\.ca\.shared\.global \[%r\d+\], \[%rd\d+\], 16, %r\d+;",
    "AsyncTile<16 bytes, L2>": r"cp\.async\.cg\.shared\.global \[%r\d+\], \[%rd\d+\], 16, %r\d+;",
    "AsyncRing": r"cp\.async\.commit_group;[\s\S]*cp\.async\.wait_group 1;",
    "DotProducts": r"dp4a\.s32\.s32",
    "AsyncAtom": r"cp\.async\.cg\.shared\.global \[%r\d+\], \[%rd\d+\], 16, %r\d+;",
}
# ldmatrix gives registers as mma.sync takes them: nothing is packed or unpacked between them.
UNWANTED = {"LoadMatrixGemm": r"mov\.b32\s[^;]*\{|\bprmt\b"}

MATRIX_INSTRUCTIONS = {
    "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32",
    "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16",
    "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32",
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
    *(
        f"mma.sync.aligned.{shape}.row.col{overflow}.s32.{a}.{b}.s32"
        for shape in ("m8n8k16", "m16n8k16", "m16n8k32")
        for overflow in ("", ".satfinite")
        for a in ("s8", "u8")
        for b in ("s8", "u8")
    ),
    *(
        f"mma.sync.aligned.{shape}.row.col{overflow}.s32.{a}.{b}.s32"
        for shape in ("m8n8k32", "m16n8k32", "m16n8k64")
        for overflow in ("", ".satfinite")
        for a in ("s4", "u4")
        for b in ("s4", "u4")
    ),
    *(
        f"mma.sync.aligned.m8n8k4.{a}.{b}.{sums}.f16.f16.{sums}"
        for a in ("row", "col")
        for b in ("row", "col")
        for sums in ("f16", "f32")
    ),
    *(
        f"mma.sync.aligned.{shape}.row.col.s32.b1.b1.s32.{bits}.popc"
        for shape in ("m8n8k128", "m16n8k128", "m16n8k256")
        for bits in ("and", "xor")
    ),
}
# More of them from compute capability 9.0 on.
HOPPER_INSTRUCTIONS = {
    *(f"mma.sync.aligned.{shape}.row.col.f64.f64.f64.f64" for shape in ("m16n8k4", "m16n8k8", "m16n8k16")),
    *(
        f"mma.sync.aligned.m16n8k32.row.col.{sum}.{a}.{b}.{sum}"
        for sum in ("f32", "f16")
        for a in ("e4m3", "e5m2")
        for b in ("e4m3", "e5m2")
    ),
}


def compile_to_ptx(nvcc, source, output, options=(), arch="sm_80"):
    """The kernels of the source: the text after each .entry."""
    ptx = output / Path(source).with_suffix(".ptx").name
    subprocess.run(
        [
            nvcc,
            "-x",
            "cu",
            "-std=c++20",
            f"-arch={arch}",
            "-ptx",
            "-Werror",
            "all-warnings",
            *options,
            *[f"-I{REPOSITORY / folder}" for folder in INCLUDES],
            str(REPOSITORY / source),
            "-o",
            str(ptx),
        ],
        check=True,
    )
    return re.split(r"\.entry\s+", ptx.read_text())[1:]


def too_many_registers(nvcc, source, output, arch, limit):
    """What ptxas says of the PTX of compile_to_ptx(): registers of a thread, and those that went to local memory."""
    ptx = output / Path(source).with_suffix(".ptx").name
    command = [nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-v", str(ptx), "-o", str(ptx.with_suffix(".cubin"))]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    used = [int(count) for count in re.findall(r"Used (\d+) registers", said)]
    spilled = [line.strip() for line in re.findall(r".*bytes stack frame.*", said) if re.search(r"[1-9]", line)]
    print(f"registers of a thread: {used}")
    too_many = [f"{count} registers of a thread, {limit} are allowed" for count in used if count > limit]
    return too_many + spilled + ([] if used else ["ptxas says nothing of registers"])


def too_much_shared_memory(source, output, limit):
    """Bytes of shared memory of a block, in the PTX of compile_to_ptx(): what the kernels declare, and what a launch
    gives them. PTX does not say the latter, so the source says it in its constant shared_bytes_of_block."""
    ptx = (output / Path(source).with_suffix(".ptx").name).read_text()
    stated = re.search(r"\bshared_bytes_of_block = (\d+);", ptx)
    if not stated:
        return ["the source has no constant shared_bytes_of_block"]
    declared = sum(int(size) for size in re.findall(r"\.shared\s[^;]*\[(\d+)\];", ptx))
    used = max(int(stated[1]), declared)
    print(f"shared memory of a block: {used} bytes")
    return [f"{used} bytes of shared memory of a block, {limit} are allowed"] if used > limit else []


def lost_accesses(name, entry):
    lost = re.findall(r"\b(?:ld|st)(?:\.(?:volatile|relaxed))?\.(?:v\d\.)?[a-z]\d+.*", entry)
    local = re.findall(r"\b(?:ld|st)\.local.*", entry)
    return [f"{name}: generic access: {line}" for line in lost] + [f"{name}: local memory: {line}" for line in local]


def lines_of(entry):
    """Labels, and instructions without their predicates."""
    lines = [line.split("//")[0].strip() for line in entry.splitlines()]
    lines = [line for line in lines if re.fullmatch(r"[$\w]+:|[^.{}].*;", line)]
    return [re.sub(r"^@!?%\w+\s+", "", line) for line in lines]


def checked_test_kernels(arguments):
    """(number of kernels, what is wrong) for the backend's test kernels."""
    entries = [entry for source in SOURCES for entry in compile_to_ptx(arguments.nvcc, source, arguments.output)]
    failed = []
    for entry in entries:
        name = re.search(r"kernel_entryIN12backend_test\d+(\w+?)(I|E)", entry).group(1)
        failed += lost_accesses(name, entry)
    for kernel, pattern in WANTED.items():
        short = kernel.split("<")[0]
        if not any(short in entry and re.search(pattern, entry) for entry in entries):
            failed.append(f"{kernel}: no {pattern}")
    for kernel, pattern in UNWANTED.items():
        failed += [
            f"{kernel}: {found}"
            for entry in entries
            if kernel in entry.split("(")[0]
            for found in re.findall(pattern, entry)
        ]
    hopper = compile_to_ptx(arguments.nvcc, "tests/backend/any/matrix_kernels.cpp", arguments.output, arch="sm_90")
    for arch, found, wanted in (
        ("sm_80", entries, MATRIX_INSTRUCTIONS),
        ("sm_90", hopper, MATRIX_INSTRUCTIONS | HOPPER_INSTRUCTIONS),
    ):
        instructions = {name for entry in found for name in re.findall(r"mma\.sync\.[\w.]+", entry)}
        if instructions != wanted:
            failed.append(f"matrix instructions of {arch}: {sorted(instructions ^ wanted)}")
    return len(entries), failed


def checked_source(arguments):
    """The same for one source and the limits of the command line."""
    options = [f"-I{folder}" for folder in arguments.include] + [f"-D{define}" for define in arguments.define]
    entries = compile_to_ptx(arguments.nvcc, arguments.source, arguments.output, options, arguments.arch)
    failed = []
    for entry in entries:
        name, lines = entry.split("(")[0], lines_of(entry)
        failed += lost_accesses(name, entry)
        failed += [
            f"{name}: {wrong}"
            for wrong in broken_limits(
                name,
                lines,
                arguments.loop,
                arguments.loop_without,
                different=arguments.loop_different,
                hidden=arguments.loop_hidden,
            )
        ]
        for limit in arguments.loop:
            print(f"{limit.kernel}: {described(lines, limit.pattern)}")
        failed += [f"{name}: no {wanted}" for wanted in arguments.expect if not any(re.match(wanted, x) for x in lines)]
        failed += [f"{name}: {line}" for unwanted in arguments.without for line in lines if re.match(unwanted, line)]
    if arguments.registers is not None:
        failed += too_many_registers(
            arguments.nvcc, arguments.source, arguments.output, arguments.arch, arguments.registers
        )
    if arguments.shared is not None:
        failed += too_much_shared_memory(arguments.source, arguments.output, arguments.shared)
    return len(entries), failed


def main():
    parser = Arguments(description=__doc__.splitlines()[0])
    parser.add_argument("source", nargs="?", help="without it: the backend's test kernels")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--output", type=Path, required=True, help="the folder for the PTX file")
    parser.add_argument("--include", type=Path, action="append", default=[], help="a further include folder")
    parser.add_argument("--define", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--arch", default="sm_80", help="what the source is compiled for")
    parser.add_argument(
        "--loop",
        action="append",
        default=[],
        type=Limit.parse,
        metavar="KERNEL=INSTRUCTION<=N/M",
        help="its loop with most of INSTRUCTION has at most N instructions for M of them",
    )
    parser.add_argument(
        "--loop-without",
        action="append",
        default=[],
        metavar="INSTRUCTION",
        help="those loops have none of it; regular expressions",
    )
    parser.add_argument(
        "--loop-different",
        action="append",
        default=[],
        type=Different.parse,
        metavar="PART>=N",
        help="in those loops PART, a regular expression, matches N different texts at least",
    )
    parser.add_argument(
        "--loop-hidden",
        action="append",
        default=[],
        type=Hidden.parse,
        metavar="FIRST=THEN=INSTRUCTION>=N",
        help="from the last FIRST on, round those loops, N of INSTRUCTION come before a THEN",
    )
    parser.add_argument(
        "--expect", action="append", default=[], metavar="INSTRUCTION", help="every kernel has it; regular expressions"
    )
    parser.add_argument(
        "--without", action="append", default=[], metavar="INSTRUCTION", help="no kernel has it; regular expressions"
    )
    parser.add_argument("--registers", type=int, metavar="N", help="of a thread, at most, and none in local memory")
    parser.add_argument(
        "--shared", type=int, metavar="N", help="bytes of a block, at most; the source has a shared_bytes_of_block"
    )
    parser.add_argument("--must-fail", action="store_true", help="a check has to fail: 0 if one does, 1 if none")
    arguments = parser.parse_args()

    if shutil.which(arguments.nvcc) is None:
        print(f"skipped: there is no {arguments.nvcc} on this machine")
        return 77
    arguments.output.mkdir(parents=True, exist_ok=True)
    kernels, failed = checked_source(arguments) if arguments.source else checked_test_kernels(arguments)
    for line in failed:
        print(line)
    print(f"{kernels} kernels, {len(failed)} checks failed, {arguments.output}")
    return 1 if bool(failed) != arguments.must_fail or not kernels else 0


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
