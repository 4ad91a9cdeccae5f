#!/usr/bin/env bash
# Configures the `hip` tree with a recent ROCm compiler, links the library, every chapter and the backend's tests, and
# starts them: without an AMD GPU each must say so.
#
# A machine's own Debian may be older than the first ROCm that knows today's targets, and ROCm is large. So the compiler
# lives in a Debian system of its own (forky), in one folder (about 1.1 GB, kept for the next run), made by mmdebstrap
# from the sources that this machine's apt already uses. Needs root and the packages mmdebstrap and
# debian-archive-keyring. CI runs this; `./tutorial` never does.
#
# Debian forky has no RCCL. That of trixie, 5.4.3 (0.3 GB), is unpacked beside it and not installed: chapter 21's
# communicator is compiled and linked with it. Its library was made for an older HIP, so nothing here can start it.
#
# TILESTEP_ROCM_ROOT      the folder (default: ~/.cache/tilestep/rocm)
# TILESTEP_ROCM_TARGETS   what to compile for (default: all below)
# TILESTEP_ONLY_CHAPTERS  the chapters to link, separated by semicolons (default: all)
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=${TILESTEP_ROCM_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/tilestep/rocm}
suite=forky
packages=hipcc,g++,cmake,ninja-build,catch2,librapidcheck-dev,libcli11-dev,nlohmann-json3-dev,libfmt-dev,python3-minimal
packages+=,libopenmpi-dev,openmpi-bin,librocm-smi64-1
rccl="librccl1/trixie librccl-dev/trixie"
targets=${TILESTEP_ROCM_TARGETS:-"gfx90a;gfx942;gfx950;gfx1100;gfx1201"}

sentence() { printf 'hip: %s\n' "$*"; }
seconds() { printf 'hip: %-28s %4d s\n' "$1" $((SECONDS - stage)); stage=$SECONDS; }
stage=$SECONDS

[ "$(id -u)" = 0 ] || { sentence "needs root, to make a Debian system in a folder"; exit 3; }
command -v mmdebstrap >/dev/null ||
  { sentence "needs mmdebstrap: apt-get install mmdebstrap debian-archive-keyring"; exit 3; }

# Make the folder, unless one with these packages is there.
if [ "$(cat "$root/packages" 2>/dev/null)" != "$packages $rccl" ]; then
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Identifier: Packages' 'Origin: Debian' |
    sed -n "s/^$codename //p" | head -n 1)
  [ -n "$mirror" ] || { sentence "apt's lists are empty: apt-get update"; exit 3; }
  sentence "making Debian $suite with a ROCm compiler in $root"
  rm -rf "$root" "$root.new"
  mkdir -p "$(dirname "$root")"
  settings=$(mktemp)  # how this machine's apt reaches its sources
  apt-config dump | sed -nE '/^Acquire::(http|https|Check-Valid-Until|Check-Date|Retries)/p' >"$settings"
  if ! mmdebstrap --quiet --variant=apt --aptopt="$settings" --dpkgopt='path-exclude=/usr/share/doc/*' \
      --dpkgopt='path-exclude=/usr/share/man/*' --include="$packages" \
      "$suite" "$root.new" "$mirror" >"$root.log" 2>&1; then
    tail -n 30 "$root.log"
    rm -rf "$root.new" "$settings"
    sentence "mmdebstrap failed, its last lines are above"
    exit 1
  fi
  apt=$(mktemp -d)  # of its own, so that this machine's apt does not change
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$apt/sources"
  { cat "$settings"
    printf '%s "%s";\n' Dir::Etc::SourceList "$apt/sources" Dir::Etc::SourceParts - Dir::State::Lists "$apt/lists" \
      Dir::Cache "$apt/cache" Dir::State::status /dev/null APT::Sandbox::User root
  } >"$apt/settings"
  { APT_CONFIG=$apt/settings apt-get update && (cd "$apt" && APT_CONFIG=$apt/settings apt-get download $rccl) &&
      for package in "$apt"/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root.new" --exclude=./usr/share || exit 1
      done; } >>"$root.log" 2>&1 ||
    { tail -n 30 "$root.log"; rm -rf "$root.new" "$settings" "$apt"; sentence "RCCL was not unpacked"; exit 1; }
  rm -rf "$settings" "$apt"
  mkdir -p "$root.new/tilestep"
  printf '%s' "$packages $rccl" >"$root.new/packages"
  mv "$root.new" "$root"
  seconds "Debian $suite with ROCm"
fi

# Inside, with the repository to read and mounts that end with the command.
inside() {
  unshare --mount --propagation private bash -c '
    set -e
    mount --bind /proc "$1/proc"
    mount --bind -o ro "$2" "$1/tilestep"
    root=$1; shift 2
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"
    ' - "$root" "$repository" "$@"
}

rm -rf "$root/build"
sentence "HIP $(inside hipconfig --version)"
inside cmake -G Ninja -S /tilestep -B /build -DTILESTEP_BACKEND=hip -DTILESTEP_WERROR=ON \
  -DCMAKE_HIP_ARCHITECTURES="$targets" -DTILESTEP_ONLY_CHAPTERS="${TILESTEP_ONLY_CHAPTERS:-}" >"$root.log" 2>&1 ||
  { tail -n 40 "$root.log"; sentence "configuring failed"; exit 1; }
seconds "configure"
inside ninja -C /build -j "$(nproc)" chapters test_backend check_instructions >"$root.log" 2>&1 ||
  { grep -v '^\[' "$root.log" | head -n 80; sentence "building failed"; exit 1; }
seconds "build for $targets"
inside ninja -C /build check_communicator >"$root.log" 2>&1 ||
  { grep -v '^\[' "$root.log" | head -n 80; sentence "chapter 21's communicator was not linked"; exit 1; }
# Without -q grep reads all of its input. With it, grep could end before objdump has written everything, and the broken
# pipe would make the whole line a failure.
inside objdump -p /build/bin/tests/check_communicator | grep 'NEEDED *librccl' >/dev/null ||
  { sentence "chapter 21's communicator was linked without RCCL"; exit 1; }
sentence "RCCL: chapter 21's communicator is compiled and linked, not run here"
seconds "communicator over RCCL"

# What is gfx950's alone is held against its marks here, where a compiler knows it: its kernels of chapter 17, and
# chapter 12's loads of 16 bytes straight to LDS.
gfx950() {  # gfx950 SOURCE [options]: its assembly is in $root/build/gfx950.s
  local source=$1
  shift
  inside sh -c 'exec $(ls /usr/bin/clang++-* | tail -n 1) "$@"' sh -x hip --cuda-device-only \
    --no-gpu-bundle-output -nogpuinc -nogpulib -include stdlib.h -std=c++20 -O3 -S --offload-arch=gfx950 "$@" \
    -I/tilestep/common/backend/hip/device_only -I/tilestep/common/backend/hip/include \
    -I/tilestep/common/backend/any/include -I/tilestep/common/include -I/tilestep/common/harness \
    "/tilestep/$source" -o /build/gfx950.s
}
check="$repository/tests/backend/hip"
only=";${TILESTEP_ONLY_CHAPTERS:-12_async_copies;17_optimized_gemm};"
case "$only" in
  *";17_optimized_gemm;"*)
    chapter=chapters/17_optimized_gemm
    for part in $(grep -oE 'cdna4_[a-z0-9_]+' "$repository/$chapter/CMakeLists.txt"); do
      { gfx950 common/src/kernels.cpp -I/tilestep/$chapter -DTILESTEP_NAMESPACE=tilestep::optimized_gemm \
          -DTILESTEP_KERNELS="$part" &&
          python3 "$check/gemm_check.py" "$repository/common/src/kernels.cpp" --include "$repository/$chapter" \
            --target gfx950 --compiled-by "clang of $(inside hipconfig --version)" --output "$root/build/gfx950.s" \
            --self-test; } >"$root.log" 2>&1 ||
        { tail -n 40 "$root.log"; sentence "gfx950's kernels of chapter 17 do not keep their marks"; exit 1; }
    done
    seconds "gfx950's kernels of 17" ;;
esac
case "$only" in
  *";12_async_copies;"*)
    source=tests/chapters/12_async_copies/vector_kernel.cpp
    { gfx950 $source -DTEST_OP=CDNA4_32x32x16_F32F16F16F32 -DTEST_BLK_M=256 -DTEST_BLK_N=128 -DTEST_WARPS_N=2 \
        -DTEST_RESIDENT=1 -DTEST_ROUTE=async_warp -DTEST_STAGES=2 -DTEST_BYTES=16 \
        -I/tilestep/chapters/12_async_copies &&
        python3 "$check/isa_check.py" "$repository/$source" --target gfx950 --compiled \
          --output "$root/build/gfx950.s" --loop-uncounted s_wait --loop "CDNA4_=v_mfma<=76/16" \
          --loop-hidden "buffer_load=s_waitcnt.*vmcnt[(]0[)]=v_mfma>=16" --loop-without "ds_(?!read_b128)" \
          --loop-without "(buffer|global)_load_(?!dwordx4 .* lds)"; } >"$root.log" 2>&1 ||
      { tail -n 40 "$root.log"; sentence "gfx950's direct loads of chapter 12 do not keep their marks"; exit 1; }
    seconds "gfx950's direct loads of 12" ;;
esac

# Every program starts without a GPU and says so: exit code 3 and one sentence.
inside ctest --test-dir /build --output-on-failure -R 'without a device' >"$root.log" 2>&1 ||
  { tail -n 40 "$root.log"; sentence "a program without a GPU did not end as it should"; exit 1; }
grep -E 'tests passed|No tests' "$root.log" | sed 's/^/hip: without a device: /'
program=$(find "$root/build/bin" -maxdepth 1 -name '[0-9]*' | sort | tail -n 1)
code=0
output=$(inside "/build/bin/$(basename "$program")" 2>&1) || code=$?
sentence "$(basename "$program"): $output"
[ "$code" = 3 ] || { sentence "it ended with exit code $code instead of 3"; exit 1; }
seconds "run without a GPU"
rm -rf "$root/build"
