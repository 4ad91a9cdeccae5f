"""The build trees: build/host, build/cuda, build/hip, one per backend, configured by the presets of the same names."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import lock
import machine
from console import Stop, must
from repository import ROOT, build_folder


def tree(backend: str) -> Path:
    return build_folder() / backend


def binaries(backend: str) -> Path:
    return tree(backend) / "bin"


def build(backend: str, tests: bool, targets: list[str], all_tests: bool | None = None) -> None:
    """Configure the backend's tree where that is needed and build the targets, or everything without any. Until this
    process ends, no other builds there."""
    require_compiler(backend)
    lock.take(backend, alone=True)
    configure(backend, tests, all_tests)
    what = "everything" if not targets else " ".join(targets)
    command = ["cmake", "--build", str(tree(backend)), "-j", str(machine.cores())]
    for target in targets:
        command += ["--target", target]
    must(f"building {what} for {backend}", command, log("build", backend))
    lock.take(backend, alone=False)


def configure(backend: str, tests: bool, all_tests: bool | None = None) -> None:
    """`run` leaves the tests out of a new tree, because it does not ask for Catch2; `test` adds them, and says whether
    all of them: None leaves that as it is."""
    cache = tree(backend) / "CMakeCache.txt"
    settings = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text(), re.M)) if cache.exists() else {}
    other = (
        "folder"
        if Path(settings.get("CMAKE_HOME_DIRECTORY", ROOT)) != ROOT
        else "compiler"
        if backend == "host" and not compiled_by(settings.get("CMAKE_CXX_COMPILER", ""), machine.host_compiler())
        else ""
    )
    if settings and other:
        print(f"{tree(backend)} was configured for another {other}: starting it afresh", file=sys.stderr)
        shutil.rmtree(tree(backend))
        settings = {}
    ready = (tree(backend) / "build.ninja").exists()
    wanted = {"TILESTEP_TESTS": "ON" if tests else "OFF"}
    if all_tests is not None:
        wanted["TILESTEP_ALL_TESTS"] = "ON" if all_tests else "OFF"
    if ready and (not tests or all(settings.get(name, "OFF") == value for name, value in wanted.items())):
        return
    command = ["cmake", "--preset", backend, "-B", str(tree(backend))]
    command += [f"-D{name}={value}" for name, value in wanted.items()]
    if backend == "host" and not os.environ.get("CXX"):  # CMake reads $CXX itself
        command.append(f"-DCMAKE_CXX_COMPILER={machine.host_compiler()}")
    if backend == "cuda":
        command.append(f"-DCMAKE_CUDA_COMPILER={machine.nvcc()}")
    must(f"configuring {tree(backend)}", command, log("configure", backend))


def compiled_by(configured: str, wanted: str) -> bool:
    """Whether the compiler in a tree's cache is the one that is wanted; what is not found on the PATH counts as the
    same."""
    paths = [shutil.which(name) for name in (configured, wanted)]
    return not all(paths) or Path(str(paths[0])).resolve() == Path(str(paths[1])).resolve()


def log(step: str, backend: str) -> Path:
    return build_folder() / "logs" / f"{step}-{backend}.log"


def require_compiler(backend: str) -> None:
    if backend == "cuda" and not machine.nvcc():
        raise Stop(
            "backend cuda wants nvcc, and neither the PATH nor /usr/local/cuda has it: install the CUDA Toolkit", 3
        )
    if backend == "hip" and not machine.hip_compiler():
        raise Stop("backend hip wants hipcc, and neither the PATH nor /opt/rocm has it: install ROCm", 3)
