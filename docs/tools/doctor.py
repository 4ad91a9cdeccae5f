"""The verb doctor: what was found, what is missing, how to get it. It changes nothing."""

from __future__ import annotations

import machine
import packages
from console import table

TOOLS = [
    ("c++", "--version"),
    ("cmake", "--version"),
    ("ninja", "--version"),
    ("clang++-19", "--version"),
    ("doxygen", "--version"),
    ("ccache", "--version"),
]


def doctor() -> int:
    print(f"{machine.system().get('PRETTY_NAME', 'unknown system')}, {machine.cores()} cores\n")

    rows = [["program", "version"]]
    for name, option in TOOLS:
        rows.append([name, machine.first_line(name, option) or "-"])
    for name, path in (("nvcc", machine.nvcc()), ("hipcc", machine.hip_compiler())):
        version = machine.first_line(path, "--version", pattern=r"release [\d.]+|HIP version: \S+") if path else ""
        rows.append([name, f"{version} ({path})" if path else "-"])
    print(table(rows) + "\n")

    rows = [["package", "for", "what it is", "state"]]
    for need in packages.NEEDS:
        rows.append([need.package, need.verb, need.purpose, "found" if need.present() else "missing"])
    print(table(rows) + "\n")

    for _, vendor, compiler, device in machine.gpus():
        state = device or "no device"
        print(f"{vendor} GPU: {state}; compiler: {compiler or 'none'}")
    if not machine.nvcc():
        print("  the CUDA Toolkit is NVIDIA's; tilestep uses it from the PATH or /usr/local/cuda")
    if not machine.hip_compiler():
        print("  ROCm is AMD's; tilestep uses hipcc from the PATH or /opt/rocm")

    missing = [need for need in packages.NEEDS if not need.present()]
    if missing:
        print("\n./tutorial installs what is missing when a verb wants it and it may; by hand:")
        print(packages.indent(packages.typed_commands(missing)))
    else:
        print("\nnothing is missing")
    return 0
