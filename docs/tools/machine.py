"""What this machine has: its system, its compilers, its GPUs. Nothing here installs or changes anything."""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Optional


def cores() -> int:
    return len(os.sched_getaffinity(0))


def system() -> dict[str, str]:
    """The fields of /etc/os-release: ID, VERSION_CODENAME, PRETTY_NAME, ..."""
    path = Path("/etc/os-release")
    if not path.exists():
        return {}
    fields = (line.split("=", 1) for line in path.read_text().splitlines() if "=" in line)
    return {key: value.strip().strip('"') for key, value in fields}


def find_program(name: str, *places: str) -> Optional[str]:
    """The program on the PATH, else in one of the places (globs), the newest last."""
    found = shutil.which(name)
    if found:
        return found
    candidates = sorted(path for place in places for path in glob.glob(os.path.join(place, name)))
    return candidates[-1] if candidates else None


def first_line(*command: str, pattern: str = ".+") -> str:
    """The first thing in a command's output that the pattern finds, or '' when there is none."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = re.search(pattern, done.stdout)
    return match.group(0).strip() if match and done.returncode == 0 else ""


def host_compiler() -> str:
    """What compiles the tree of the virtual GPU: $CXX, else clang, which takes half of g++'s time for a kernel."""
    return os.environ.get("CXX") or "clang++-19"


def nvcc() -> Optional[str]:
    return find_program("nvcc", "/usr/local/cuda/bin", "/usr/local/cuda-*/bin")


def hip_compiler() -> Optional[str]:
    return find_program("hipcc", "/opt/rocm/bin", "/opt/rocm-*/bin")


def nvidia_device() -> str:
    """The first NVIDIA GPU's name, or ''."""
    line = first_line("nvidia-smi", "-L", pattern=r"GPU 0: [^(\n]+")
    return line.removeprefix("GPU 0: ").strip()


def amd_devices() -> list[str]:
    """The architecture of each AMD GPU as the kernel driver tells it (gfx942)."""
    found = []
    for path in sorted(glob.glob("/sys/class/kfd/kfd/topology/nodes/*/properties")):
        match = re.search(r"^gfx_target_version (\d+)$", Path(path).read_text(), re.M)
        if match and int(match.group(1)):
            version = int(match.group(1))  # 90402 is 9.4.2
            found.append(f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}")
    return found


def amd_device() -> str:
    """The first AMD GPU's architecture, or ''."""
    return next(iter(amd_devices()), "")


def device_count(backend: str) -> int:
    """How many GPUs a backend finds here."""
    if backend == "hip":
        return len(amd_devices())
    listed = first_line("nvidia-smi", "-L", pattern=r"(?s).+")
    return len(re.findall(r"^GPU \d+:", listed, re.M)) if backend == "cuda" else 0


def second_gpu() -> bool:
    """Are there two GPUs of one vendor, or more?"""
    return max(device_count("cuda"), device_count("hip")) > 1


def gpus() -> list[tuple[str, str, Optional[str], str]]:
    """(backend, vendor, compiler or None, device or '') for each kind of GPU."""
    return [("cuda", "NVIDIA", nvcc(), nvidia_device()), ("hip", "AMD", hip_compiler(), amd_device())]
