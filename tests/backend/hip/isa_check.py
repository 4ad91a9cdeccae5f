#!/usr/bin/env python3
"""Compiles a source's kernels for one AMD target, without ROCm, and reads the instructions.

Every kernel must pass these checks:
  scratch   its registers hold all its variables: no stack, no scratch_ instruction
  spills    no register was spilled; --scalar-spills allows some scalar ones, which go to vector registers, not to
            memory
  flat      every access knows its memory: no flat_ instruction
  calls     every function was inlined
  shared    a kernel that owns shared memory reaches it by ds_ instructions
and what --expect, --loop and their like ask for. Exit code: 0 all pass, 1 a check failed, 77 no clang that knows the
target.
"""
import collections
import re
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(REPOSITORY / "tests/backend"), str(REPOSITORY / "docs/tools")]
from console import Arguments, ended  # noqa: E402
from loops import Different, Hidden, Limit, broken_limits, described  # noqa: E402

BACKEND = REPOSITORY / "common/backend"
INCLUDES = [
    BACKEND / "hip/device_only",
    BACKEND / "hip/include",
    BACKEND / "any/include",
    REPOSITORY / "common/include",
    REPOSITORY / "common/harness",
]
FLAGS = [
    "-x",
    "hip",
    "--cuda-device-only",
    "--no-gpu-bundle-output",
    "-nogpuinc",
    "-nogpulib",
    "-std=c++20",
    "-O3",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-S",
]

Kernel = collections.namedtuple("Kernel", "symbol name metadata lines instructions")


class UnknownTarget(subprocess.CalledProcessError):
    """The compiler is too old."""


def compile_to_assembly(clang, target, source, output, includes, defines):
    command = [clang, *FLAGS, f"--offload-arch={target}", *[f"-D{define}" for define in defines]]
    for folder in [*INCLUDES, *includes]:
        command += ["-I", str(folder)]
    done = subprocess.run([*command, str(source), "-o", str(output)], stderr=subprocess.PIPE, text=True)
    if re.search(r"invalid target ID|unsupported HIP gpu architecture", done.stderr):
        raise UnknownTarget(done.returncode, command)
    print(done.stderr, end="", file=sys.stderr)
    done.check_returncode()


def demangle(symbols):
    """Readable names: the kernel's own type, without `kernel_entry` and the parameters."""
    tool = shutil.which("c++filt") or shutil.which("llvm-cxxfilt")
    names = list(symbols)
    if tool and names:
        names = subprocess.run([tool, *symbols], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    result = {}
    for symbol, name in zip(symbols, names):
        match = re.match(r"void tilestep::detail::kernel_entry<(.*)>\(", name)
        result[symbol] = match.group(1) if match else name
    return result


def read_metadata(text):
    """symbol -> its numbers in the notes at the end of the file (YAML of a fixed form)."""
    kernels = {}
    notes = text[text.rfind("amdhsa.kernels:") :] if "amdhsa.kernels:" in text else ""
    for entry in re.split(r"^  - (?=\.)", notes, flags=re.MULTILINE)[1:]:
        numbers = dict(re.findall(r"^(?:    )?(\.\w+):\s+(\S+)\s*$", entry, flags=re.MULTILINE))
        kernels[numbers[".name"]] = numbers
    return kernels


def read_kernels(text):
    """The kernels of an assembly file with their instructions, comments and directives left out."""
    metadata = read_metadata(text)
    names = demangle(list(metadata))
    kernels = []
    for symbol, numbers in metadata.items():
        body = text[text.index(f"\n{symbol}:") + 1 :]
        body = body[: re.search(r"^\s*\.section|^\.Lfunc_end", body, flags=re.MULTILINE).start()]
        lines = [line.split(";")[0].strip() for line in body.splitlines()[1:]]
        lines = [line for line in lines if re.match(r"[a-z]\w*(\s|$)|\.L\w+:", line)]
        instructions = [line for line in lines if not line.endswith(":")]
        kernels.append(Kernel(symbol, names[symbol], numbers, lines, instructions))
    return kernels


def count(kernel, pattern):
    return sum(bool(re.match(pattern, instruction)) for instruction in kernel.instructions)


def scalar_spills_of(text):
    """(regular expression, number) of [KERNEL=]N"""
    name, _, number = text.rpartition("=")
    return name, int(number)


def allowed_spills(kernel, allowed):
    return max((number for name, number in allowed if re.search(name, kernel.name)), default=0)


def failed_checks(kernel, scalar_spills=0):
    """(check, what was found) for each check that the kernel fails."""
    number = {key: int(value) for key, value in kernel.metadata.items() if value.isdigit()}
    failed = []
    stack = number[".private_segment_fixed_size"]
    scratch = count(kernel, "scratch_")
    if stack or scratch or kernel.metadata.get(".uses_dynamic_stack") == "true":
        failed.append(("scratch", f"{stack} bytes of stack a thread, {scratch} scratch instructions"))
    if number[".vgpr_spill_count"] or number[".sgpr_spill_count"] > scalar_spills:
        found = f"{number['.vgpr_spill_count']} vector and {number['.sgpr_spill_count']} scalar registers"
        failed.append(("spills", found))
    if count(kernel, "flat_"):
        failed.append(("flat", f"{count(kernel, 'flat_')} flat instructions"))
    if count(kernel, "s_swappc"):
        failed.append(("calls", f"{count(kernel, 's_swappc')} calls"))
    if number[".group_segment_fixed_size"] and not count(kernel, "ds_"):
        found = f"{number['.group_segment_fixed_size']} bytes of shared memory and no ds_ instruction"
        failed.append(("shared", found))
    return failed


def failed_expectations(kernels, expectations):
    """KERNEL=INSTRUCTION, two regular expressions: every kernel of that name has the instruction."""
    failed = []
    for expectation in expectations:
        name, _, instruction = expectation.partition("=")
        chosen = [kernel for kernel in kernels if re.search(name, kernel.name)]
        if not chosen:
            failed.append((name, "expect", "there is no such kernel"))
        failed += [(kernel.name, "expect", f"no {instruction}") for kernel in chosen if not count(kernel, instruction)]
    return failed


def exceeded(kernels, limits):
    """KERNEL=NUMBER=INSTRUCTION: every kernel of that name has at most that many of the instruction."""
    failed = []
    for limit in limits:
        name, number, instruction = limit.split("=", 2)
        for kernel in kernels:
            found = count(kernel, instruction)
            if re.search(name, kernel.name) and found > int(number):
                failed.append((kernel.name, "at most", f"{found} times {instruction}, {number} are allowed"))
    return failed


def self_test(kernels):
    """Each kernel of the source is named Fails_CHECK, or Passes_... : the checks must say the same."""
    wrong = []
    for kernel in kernels:
        wanted = re.search(r"Fails_(\w+)", kernel.name)
        found = [check for check, _ in failed_checks(kernel)]
        if (wanted.group(1) not in found) if wanted else found:
            wrong.append((kernel.name, "self-test", f"found {found or 'nothing'}"))
    for check in ["scratch", "spills", "flat", "calls", "shared"]:
        if not any(f"Fails_{check}" in kernel.name for kernel in kernels):
            wrong.append((check, "self-test", "no kernel fails it"))
    return wrong


def main():
    parser = Arguments(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--target", required=True, help="gfx90a, gfx942, gfx950, gfx1100, gfx1201, ..")
    parser.add_argument("--clang", default="clang++-19")
    parser.add_argument("--compiled", action="store_true", help="the assembly file is there already")
    parser.add_argument("--include", type=Path, action="append", default=[], help="a further include folder")
    parser.add_argument("--output", type=Path, required=True, help="the assembly file to write")
    parser.add_argument(
        "--expect", action="append", default=[], metavar="KERNEL=INSTRUCTION", help="regular expressions"
    )
    parser.add_argument("--define", action="append", default=[], metavar="NAME=VALUE")
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
        "--loop-uncounted", default="$", metavar="INSTRUCTION", help="--loop does not count these; a regular expression"
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
    parser.add_argument("--vector-registers", type=int, default=512, metavar="N", help="no kernel uses more")
    parser.add_argument(
        "--at-most",
        action="append",
        default=[],
        metavar="KERNEL=NUMBER=INSTRUCTION",
        help="regular expressions and how often the instruction may be there",
    )
    parser.add_argument(
        "--scalar-spills",
        action="append",
        default=[],
        type=scalar_spills_of,
        metavar="[KERNEL=]N",
        help="so many are allowed of the kernels whose name this regular expression finds; without one, of all",
    )
    parser.add_argument("--must-fail", action="store_true", help="a check has to fail: 0 if one does, 1 if none")
    parser.add_argument(
        "--self-test", action="store_true", help="the source's kernels are bad on purpose: each must fail its check"
    )
    arguments = parser.parse_args()

    if not arguments.compiled:
        clang = shutil.which(arguments.clang)
        if clang is None:
            print(f"skipped: there is no {arguments.clang} on this machine")
            return 77
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        try:
            compile_to_assembly(
                clang, arguments.target, arguments.source, arguments.output, arguments.include, arguments.define
            )
        except UnknownTarget:
            print(f"skipped: {arguments.clang} does not know {arguments.target}")
            return 77
        except subprocess.CalledProcessError:
            print(f"{arguments.source} does not compile for {arguments.target}")
            return 1

    kernels = read_kernels(arguments.output.read_text())
    if arguments.self_test:
        failed = self_test(kernels)
    else:
        failed = [
            (kernel.name, check, found)
            for kernel in kernels
            for check, found in failed_checks(kernel, allowed_spills(kernel, arguments.scalar_spills))
        ]
        failed += failed_expectations(kernels, arguments.expect) + exceeded(kernels, arguments.at_most)
        failed += [
            (kernel.name, "loop", found)
            for kernel in kernels
            for found in broken_limits(
                kernel.name,
                kernel.lines,
                arguments.loop,
                arguments.loop_without,
                arguments.loop_uncounted,
                arguments.loop_different,
                arguments.loop_hidden,
            )
        ]
        failed += [
            (limit.kernel, "loop", "there is no such kernel")
            for limit in arguments.loop
            if not any(re.search(limit.kernel, kernel.name) for kernel in kernels)
        ]
        failed += [
            (kernel.name, "registers", f"{kernel.metadata['.vgpr_count']} vector registers")
            for kernel in kernels
            if int(kernel.metadata[".vgpr_count"]) > arguments.vector_registers
        ]
        if not kernels:
            failed.append((str(arguments.source), "kernels", "none were compiled"))
    for name, check, found in failed:
        print(f"{arguments.target}: {name}: {check}: {found}")
    for limit in arguments.loop:
        for kernel in kernels:
            if re.search(limit.kernel, kernel.name):
                print(
                    f"{arguments.target}: {limit.kernel}: "
                    f"{described(kernel.lines, limit.pattern, arguments.loop_uncounted)}"
                )
    most = max((int(kernel.metadata[".vgpr_count"]) for kernel in kernels), default=0)
    print(
        f"{arguments.target}: {len(kernels)} kernels, at most {most} vector registers, "
        f"{len(failed)} checks failed, {arguments.output}"
    )
    return 1 if bool(failed) != arguments.must_fail else 0


if __name__ == "__main__":
    sys.exit(ended(Path(sys.argv[0]).name, main))
