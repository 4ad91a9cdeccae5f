#!/usr/bin/env bash
# Runs what was built for the cuda backend on this machine's NVIDIA GPU: the tests, every chapter over the table of
# sizes in all four layouts and over all its types on a few of them, and compute-sanitizer's four tools on small cases.
# About five minutes. It builds nothing.
#
# usage: tests/backend/cuda/device_check.sh [--chapters|--small|--sanitizer] OUTPUT_FOLDER [BIN_FOLDER]
# (BIN_FOLDER: build/cuda/bin)
#
# --chapters leaves out the tests and compute-sanitizer; the matrix instructions are checked all the same. --small does
# so, too, on the small cases alone, for a functional emulator. --sanitizer runs compute-sanitizer alone, to take the
# check in two parts: give it the same OUTPUT_FOLDER. OUTPUT_FOLDER gets CHAPTER.json (the records of its runs),
# matrix_instructions.json, logs and summary.txt; docs/tools/devices.py --keep OUTPUT_FOLDER makes the repository's
# records of it. Exit code: 0 everything is right, 1 something is not, 3 there is no GPU (1 with
# TILESTEP_REQUIRE_DEVICE=1). JOBS=N runs N programs at a time (4).
set -uo pipefail
only=all
table=all
case ${1:-} in --chapters | --sanitizer) only=${1#--}; shift ;; --small) only=chapters table=small; shift ;; esac
[ $# -ge 1 ] || { sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 2; }
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
mkdir -p "$1"
output=$(cd "$1" && pwd)
bin=$(cd "${2:-$repository/build/cuda/bin}" && pwd) || exit 2
jobs=${JOBS:-4}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work bin output
required=${TILESTEP_REQUIRE_DEVICE:-0}
export TILESTEP_REQUIRE_DEVICE=1
failures=0

say() { printf '%s\n' "$*" | tee -a "$output/summary.txt"; }
[ "$only" = sanitizer ] || : >"$output/summary.txt"
[ "$table" = all ] || say "--small"
nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,power.limit --format=csv 2>/dev/null |
  tee -a "$output/summary.txt"

# ---- The tables: one line of options per run ----

gemm_sizes="64,64,32 63,63,31 65,65,33 1,1,1 64,64,0 0,64,8 64,0,8 128,256,64 129,65,67
            127,131,137 1,257,3 257,1,5 2,3,1000"

# "--kernel K" for each kernel of the chapter, as its --help lists them; one empty line if it has no choice.
kernels() {
  local names
  names=$("$bin/$1" --help | sed -n 's/^ *--kernel \([^= ]*\)[= ].*/\1/p')
  tr '|' '\n' <<<"$names" | sed 's/^./--kernel &/'
}

# What the chapter has on this target, as its --list shows it: the layouts; the types as options, the default first.
layouts() { "$bin/$1" --list | awk -v t="$target" '$1 == t { for (i = 5; i <= NF; ++i) print $i; exit }'; }
types() { "$bin/$1" --list | awk -v t="$target" '$1 == t { print "--dtype", $2, "--acc", $3, "--out-dtype", $4 }'; }
other_types() { types "$1" | tail -n +2; }

# The tiles of these options, as the chapter's refusal of another lists them. Where it lists none: "unlisted", for which
# a case fails.
tiles() {  # CHAPTER OPTION...
  local name names=""
  for name in $("$bin/$1" --tile none "${@:2}" 2>&1 | sed 's/.* has //; s/,//g'); do
    [[ $name = [0-9]*x[0-9]*x[0-9]* ]] || { names=""; break; }
    names+="$name "
  done
  echo "${names:-unlisted}"
}

gemm_cases() {
  local kernel layout size m n k type choice
  while IFS= read -r kernel; do
    for layout in $(layouts "$1"); do
      choice="--layout $layout $(types "$1" | head -n 1) $kernel"
      for size in $gemm_sizes; do
        IFS=, read -r m n k <<<"$size"
        echo "$1 --m $m --n $n --k $k $choice"
      done
      echo "$1 --m 129 --n 65 --k 67 --lda 141 --ldb 143 --ldc 145 $choice"
      echo "$1 --m 65 --n 129 --k 33 --alpha 2 --beta -3 $choice"
      echo "$1 --m 65 --n 63 --k 0 --alpha 2 --beta 0.5 $choice"
      echo "$1 --m 65 --n 63 --k 31 --batch 3 --beta 1 $choice"
      while IFS= read -r type; do
        choice="--layout $layout $type $kernel"
        echo "$1 --m 64 --n 64 --k 32 $choice"
        echo "$1 --m 129 --n 65 --k 67 --lda 141 --ldb 143 --ldc 145 --alpha 2 --beta -3 $choice"
        echo "$1 --m 65 --n 63 --k 31 --batch 3 --beta 1 $choice"
        echo "$1 --m 2 --n 3 --k 1000 $choice"
      done < <(other_types "$1")
    done
  done < <(kernels "$1")
}

gemm_small_cases() {
  local kernel layout type first last
  first=$(types "$1" | head -n 1)
  last=$(layouts "$1" | tail -n 1)
  while IFS= read -r kernel; do
    for layout in $(layouts "$1"); do echo "$1 --m 65 --n 33 --k 17 --layout $layout $first $kernel"; done
    echo "$1 --m 1 --n 1 --k 1 $first $kernel"
    echo "$1 --m 33 --n 65 --k 0 --beta 2 $first $kernel"
    echo "$1 --m 33 --n 65 --k 9 --beta 2 --batch 2 --ldc 70 $first $kernel"
    while IFS= read -r type; do
      echo "$1 --m 65 --n 33 --k 17 --layout nn $type $kernel"
      echo "$1 --m 33 --n 65 --k 9 --beta 2 --batch 2 --ldc 70 --layout $last $type $kernel"
    done < <(other_types "$1")
  done < <(kernels "$1")
}

# Chapter 06 multiplies whole tiles, of 256 x 128 on CDNA and 128 x 128 elsewhere, and one step along K; f32 comes in
# one layout, and by hand too.
block_cases() {  # CHAPTER all|small
  local dtype acc out names m=128 k layout options
  [[ $target != gfx9* ]] || m=256
  while read -r _ dtype acc out names; do
    case $dtype in f32) k=8 ;; *) k=32 ;; esac
    for layout in $names; do
      options="--k $k --layout $layout --dtype $dtype --acc $acc --out-dtype $out"
      echo "$1 --m $m --n 256 $options"
      echo "$1 --m 256 --n 128 --beta 2 --batch 2 --lda 272 --ldb 272 --ldc 259 $options"
      [ "$2" = all ] || continue
      echo "$1 --m 1024 --n 384 --alpha 2 --beta -3 $options"
      echo "$1 --m 256 --n 0 $options"
    done
  done < <("$bin/$1" --list | awk -v t="$target" '$1 == t')
  options="--kernel by_hand --dtype f32 --layout nt --k 8"
  echo "$1 --m 256 --n 128 --beta 2 --batch 2 --lda 9 --ldb 11 --ldc 259 $options"
  [ "$2" = all ] || return 0
  echo "$1 --m 1024 --n 384 --alpha 2 --beta -3 $options"
  echo "$1 --m 0 --n 128 $options"
}

# Chapter 00 has a thread for each element of C: blocks that are whole, and one element more and less.
thread_cases() {
  local kernel options
  while IFS= read -r kernel; do
    for options in "--m 16 --n 16 --k 9" "--m 1 --n 257 --k 300" "--m 255 --n 1 --k 9 --beta 2" \
        "--m 257 --n 3 --k 5 --batch 5 --layout tn"; do
      echo "$1 $options $kernel"
    done
  done < <(kernels "$1")
}

# Chapter 07 copies in vectors where all tiles are whole and both operands lie along K; CK's tutorial has its 129 x 129
# x 67.
whole_cases() {  # CHAPTER all|small
  local options
  types "$1" | while IFS= read -r options; do
    options="--layout nt $options"
    echo "$1 --m 129 --n 129 --k 67 $options"
    echo "$1 --m 256 --n 384 --k 192 $options"
    [ "$2" = all ] || continue
    echo "$1 --m 512 --n 128 --k 64 --alpha 2 --beta -1 --batch 2 --lda 80 --ldb 96 --ldc 131 $options"
  done
}

# Chapter 08 takes every problem but with --kernel vectors, which wants rows of whole vectors along K.
vector_cases() {  # CHAPTER all|small
  local options
  types "$1" | while IFS= read -r options; do
    options="--kernel vectors --layout nt $options"
    echo "$1 --m 131 --n 67 --k 80 $options"
    echo "$1 --m 33 --n 5 --k 48 --alpha 2 --beta -1 --batch 2 --lda 64 --ldb 80 --ldc 7 $options"
    [ "$2" = all ] || continue
    echo "$1 --m 257 --n 513 --k 1040 $options"
    echo "$1 --m 1 --n 1 --k 16 $options"
    echo "$1 --m 5 --n 7 --k 0 --beta 2 $options"
  done
}

# Chapter 09 reads operands of whole vectors as they are stored; the other kernels take f16 along K alone.
arranged_cases() {  # CHAPTER all|small
  local options layout kernel
  for layout in nn nt tn tt; do
    types "$1" | while IFS= read -r options; do
      options="--kernel swizzled --layout $layout $options"
      echo "$1 --m 272 --n 144 --k 80 $options"
      [ "$2" = all ] || continue
      echo "$1 --m 512 --n 1040 --k 2064 --alpha 2 --beta -1 $options"
      echo "$1 --m 48 --n 16 --k 16 --batch 3 --lda 288 --ldb 304 --ldc 19 $options"
    done
  done
  for kernel in packed padded k0_m_k1; do
    options="--kernel $kernel --layout nt --dtype f16"
    echo "$1 --m 131 --n 67 --k 80 --beta 2 $options"
    [ "$2" = all ] || continue
    echo "$1 --m 256 --n 384 --k 1024 $options"
    echo "$1 --m 5 --n 7 --k 0 --beta 2 $options"
  done
}

# Chapter 10 reads operands of whole vectors as they are stored, by lanes and by ldmatrix.
read_cases() {  # CHAPTER all|small
  local options layout kernel
  for kernel in plain matrix; do
    for layout in nn nt tn tt; do
      options="--kernel $kernel --layout $layout --dtype f16"
      echo "$1 --m 272 --n 144 --k 80 $options"
      [ "$2" = all ] || continue
      echo "$1 --m 512 --n 1040 --k 2064 --alpha 2 --beta -1 $options"
      echo "$1 --m 48 --n 16 --k 16 --batch 3 --lda 288 --ldb 304 --ldc 19 $options"
    done
  done
}

# The steps of chapters 11 and 12 before the default take f16 in vectors along K; chapter 12's are NVIDIA's.
step_cases() {  # CHAPTER all|small KERNEL...
  local kernel options
  for kernel in "${@:3}"; do
    case $target-$kernel in gfx*-stages*) continue ;; esac
    options="--kernel $kernel --layout nt --dtype f16"
    echo "$1 --m 131 --n 67 --k 80 --beta 2 $options"
    echo "$1 --m 5 --n 300 --k 16 $options"
    [ "$2" = all ] || continue
    echo "$1 --m 256 --n 384 --k 1024 $options"
    echo "$1 --m 300 --n 5 --k 144 --batch 3 --lda 160 --ldb 168 --ldc 9 $options"
    echo "$1 --m 5 --n 7 --k 0 --beta 2 $options"
  done
}

# Chapter 13's orders, with groups of rows that are whole and that are not, and batches that dies share.
order_cases() {  # CHAPTER all|small
  local options
  for options in "--order rows" "--order grouped --group 2" "--order xcd --group 3" "--order xcd --group 100"; do
    echo "$1 --m 131 --n 67 --k 80 --beta 2 --layout nt --dtype f16 $options"
    [ "$2" = all ] || continue
    echo "$1 --m 1300 --n 1300 --k 272 --layout nt --dtype f16 $options"
    echo "$1 --m 640 --n 520 --k 72 --batch 3 --alpha 2 --lda 80 --ldc 523 --layout nt --dtype f16 $options"
    echo "$1 --m 900 --n 300 --k 40 --layout tn --dtype f32 $options"
  done
}

# Chapter 14's tiles, slices and blocks for several tiles, whatever the problem would get by itself.
schedule_cases() {  # CHAPTER all|small
  local options
  for options in "--tile large" "--tile large --split-k 3" "--tile medium --order rows" "--tile small --split-k 2" \
      "--tile large --persistent" "--tile large --persistent --units 2" "--order xcd --group 2"; do
    echo "$1 --m 131 --n 67 --k 80 --beta 2 --layout nt --dtype f16 $options"
    [ "$2" = all ] || continue
    echo "$1 --m 640 --n 1300 --k 272 --layout nt --dtype f16 $options"
    [[ $options != *persistent* ]] \
        || for k in 8 40 72; do echo "$1 --m 2568 --n 5128 --k $k --layout nt --dtype f16 $options"; done
    echo "$1 --m 5 --n 520 --k 2064 --batch 3 --alpha 2 --lda 2072 --ldc 523 --layout nt --dtype f16 $options"
  done
  [ "$2" = all ] || return 0
  for options in "--dtype f32" "--dtype f16" "--dtype f16 --tile large"; do
    echo "$1 --m 300 --n 130 --k 528 --layout tn --split-k 4 --beta 1 $options"
    echo "$1 --m 16 --n 1024 --k 1024 --layout nn $options"
    echo "$1 --m 1024 --n 9 --k 1024 --layout nt $options"
  done
}

# Chapter 15's loop with every number of tiles along K around the length of its ring.
length_cases() {  # CHAPTER all|small
  local k
  for k in 8 32 40 64 96 104 128 136 160 288; do
    echo "$1 --m 136 --n 264 --k $k --layout nt --dtype f16"
    [ "$2" = all ] || continue
    echo "$1 --m 1300 --n 1304 --k $k --layout nn --dtype f16 --beta 1"
    echo "$1 --m 520 --n 264 --k $((2 * k)) --layout tt --dtype f16 --split-k 2"
    echo "$1 --m 131 --n 257 --k $k --layout tn --dtype f32"
  done
}

# Chapter 16's epilogues, with rows of C that start at multiples of 16 bytes and rows that do not, in slices of K too.
epilogue_cases() {  # CHAPTER all|small
  local options what
  types "$1" | while IFS= read -r options; do
    options="--layout nt $options"
    for what in "--bias on --activation relu --residual on" "--bias on --activation gelu --beta 2" \
        "--residual on --beta -1 --split-k 3"; do
      echo "$1 --m 131 --n 264 --k 72 $options $what"
      echo "$1 --m 65 --n 67 --k 40 --ldc 79 $options $what"
      [ "$2" = all ] || continue
      echo "$1 --m 1300 --n 1296 --k 272 $options $what"
      echo "$1 --m 129 --n 257 --k 0 $options $what"
      echo "$1 --m 300 --n 258 --k 136 --batch 3 --ldc 272 $options $what"
    done
  done
}

# Chapter 17's tiles of f64: lengths around those of a tile and of the ring, epilogues, slices of K, copies of operands.
f64_cases() {  # CHAPTER all|small
  local tile m n k options
  types "$1" | grep f64 >/dev/null || return 0
  for tile in $(tiles "$1" --layout nt --dtype f64); do
    [ "$tile" != unlisted ] || { echo "$1 --tile $tile"; break; }
    m=${tile%%x*} n=${tile#*x} n=${n%%x*}
    options="--dtype f64 --tile $tile"
    echo "$1 --m $((m + 8)) --n $((2 * n + 8)) --k 72 --split-k 1 --layout nt $options"
    echo "$1 --m $((m - 1)) --n $((n + 1)) --k 43 --beta 2 --bias on --activation gelu --residual on $options"
    [ "$2" = all ] || continue
    for k in 2 14 16 18 32 34 64 80 96 128 130 520; do
      echo "$1 --m $((20 * m + 8)) --n $((10 * n - 8)) --k $k --split-k 1 --layout nt $options"
    done
    for k in nn tn tt; do
      echo "$1 --m $((3 * m + 8)) --n $((3 * n - 8)) --k 648 --split-k 3 --activation gelu --layout $k $options"
    done
    echo "$1 --m $((m + 1)) --n $((2 * n)) --k 520 --ldc $((2 * n + 3)) --split-k 3 --batch 2 --layout nt $options"
  done
}

# Chapters 18 and 19 are Hopper's: one to three steps along K, several rounds of the ring, more blocks than
# multiprocessors, rows that TMA cannot address, and operands along M and N.
tma_cases() {  # CHAPTER all|small
  local options k
  types "$1" | while IFS= read -r options; do
    options="--layout nt $options"
    echo "$1 --m 131 --n 264 --k 328 --beta 2 $options"
    echo "$1 --m 136 --n 67 --k 581 $options"
    echo "$1 --m 136 --n 264 --k 200 ${options/nt/tn}"
    [ "$2" = all ] || continue
    for k in 8 63 64 72 128 136 192 200 256 264 1160 4104; do
      echo "$1 --m 264 --n 520 --k $k $options"
      echo "$1 --m 264 --n 520 --k $k ${options/nt/tn}"
    done
    echo "$1 --m 2056 --n 3080 --k 1032 $options"
    echo "$1 --m 2056 --n 3080 --k 1032 ${options/nt/nn}"
    echo "$1 --m 5 --n 7 --k 520 --batch 300 --alpha 2 --lda 528 --ldb 536 --ldc 9 $options"
  done
}

# Chapter 20 is Hopper's. Its variants take bf16 along K, and copies of other operands; each of its tiles takes both
# types.
hopper_cases() {  # CHAPTER all|small
  local options kernel tile name m n k
  while IFS= read -r kernel; do
    [ "$kernel" != "--kernel tuned" ] || continue
    options="--dtype bf16 --layout nt $kernel"
    echo "$1 --m 264 --n 520 --k 328 --bias on --activation relu $options"
    echo "$1 --m 131 --n 67 --k 80 --beta 2 --out-dtype f32 $options"
    [ "$2" = all ] || continue
    echo "$1 --m 1 --n 8 --k 136 --batch 300 $options"
    echo "$1 --m 2048 --n 1536 --k 1024 $options"
    for k in 33 72 168; do echo "$1 --m 5400 --n 1544 --k $k $options"; done
    echo "$1 --m 257 --n 250 --k 520 --split-k 3 $options"
    echo "$1 --m 5 --n 7 --k 0 --beta 2 $options"
    echo "$1 --m 1 --n 1 --k 1 --layout tn --dtype bf16 $kernel"
  done < <(kernels "$1")
  for tile in $(tiles "$1" --layout nt --dtype bf16); do
    [ "$tile" != unlisted ] || { echo "$1 --tile $tile"; break; }
    m=${tile%%x*} n=${tile#*x} n=${n%%x*}
    options="--dtype bf16 --tile $tile"
    echo "$1 --m $((m + 8)) --n $((2 * n + 8)) --k 328 --bias on --activation gelu --layout nt $options"
    for k in 72 136; do
      echo "$1 --m $((2 * m + 8)) --n $((7 * n - 8)) --k $k --split-k 1 --units 2 --layout nt --out-dtype bf16 $options"
    done
    [ "$2" = all ] || continue
    for k in 33 72 136 192; do
      for name in "--dtype bf16 --out-dtype bf16" "--dtype f16 --out-dtype f32" \
          "--dtype f16 --out-dtype f16 --split-k 2"; do
        # more tiles than multiprocessors
        echo "$1 --m $((40 * m + 8)) --n $((20 * n - 8)) --k $k $name --layout nt --tile $tile"
      done
    done
    for options in "--dtype bf16 --tile $tile" "--dtype f16 --tile $tile" \
        "--dtype bf16 --out-dtype f32 --tile $tile"; do
      for name in nn tn tt; do echo "$1 --m $((3 * m + 8)) --n $((3 * n - 8)) --k 648 --layout $name $options"; done
      echo "$1 --m $((m - 1)) --n $((n + 1)) --k 63 --beta 2 --residual on --activation relu --layout nt $options"
      echo "$1 --m $((m + 1)) --n $((2 * n)) --k 520 --ldc 584 --split-k 3 --batch 2 --layout nt $options"
    done
  done
}

# Chapter 21 shares one product among devices, and sums of f16 stay on theirs.
shared_cases() { grep -v -e '--batch' -e '--acc f16 .*--kernel \(scatter\|grid\)'; }

# Chapter 02 copies whole tiles.
tile_cases() {
  local kernel transpose
  while IFS= read -r kernel; do
    for transpose in "" --transpose; do
      echo "$1 --rows 32 --cols 32 --tile 32x32 $kernel $transpose"
      echo "$1 --rows 64 --cols 160 --tile 32x32 $kernel $transpose"
      echo "$1 --rows 128 --cols 128 --tile 8x128 $kernel $transpose"
      echo "$1 --rows 64 --cols 192 --tile 64x64 $kernel $transpose"
      echo "$1 --rows 0 --cols 64 --tile 32x32 $kernel $transpose"
    done
  done < <(kernels "$1")
}

# Chapter 03 copies everything: whole matrices, windows that hang over each edge, windows inside.
window_cases() {
  local size rows cols transpose
  for transpose in "" --transpose; do
    for size in 1,1 1,257 257,1 32,32 31,33 33,31 64,128 63,129 127,131 0,5 5,0 1000,3; do
      IFS=, read -r rows cols <<<"$size"
      echo "$1 --rows $rows --cols $cols $transpose"
    done
    echo "$1 --rows 37 --cols 53 --row0 -3 --col0 -5 --window 20x21 --pad-value 7 $transpose"
    echo "$1 --rows 37 --cols 53 --row0 30 --col0 41 --window 33x17 --pad-value -1 $transpose"
    echo "$1 --rows 37 --cols 53 --row0 -40 --col0 0 --window 8x8 --pad-value 2 $transpose"
    echo "$1 --rows 130 --cols 140 --row0 1 --col0 2 --window 64x128 --in-bounds $transpose"
  done
}

chapters() { for program in "$bin"/[0-9][0-9]_*; do [ -x "$program" ] && basename "$program"; done; }
cases_of() {  # CHAPTER all|small
  [[ $1 != 18_* && $1 != 19_* && $1 != 20_* || $target = sm90 ]] || return 0
  [[ $1-$target != 12_*-gfx1* ]] || return 0
  case $1-$2 in
    00_*-all) gemm_cases "$1"; thread_cases "$1" ;;
    00_*-small) gemm_small_cases "$1"; thread_cases "$1" ;;
    01_*) ;;
    02_*-all) tile_cases "$1" ;;
    02_*-small) tile_cases "$1" | grep -E -e '--rows (32|128)' ;;
    03_*-all) window_cases "$1" ;;
    03_*-small) window_cases "$1" | grep -E -e '--row0|--rows 33' ;;
    06_*) block_cases "$1" "$2" ;;
    07_*-all) gemm_cases "$1"; whole_cases "$1" all ;;
    07_*-small) gemm_small_cases "$1"; whole_cases "$1" small ;;
    08_*-all) gemm_cases "$1" | grep -v -e '--kernel vectors'; vector_cases "$1" all ;;
    08_*-small) gemm_small_cases "$1" | grep -v -e '--kernel vectors'; vector_cases "$1" small ;;
    09_*-all) gemm_cases "$1" | grep -v -E -e '--kernel (packed|padded|k0_m_k1)'; arranged_cases "$1" all ;;
    09_*-small) gemm_small_cases "$1" | grep -v -E -e '--kernel (packed|padded|k0_m_k1)'; arranged_cases "$1" small ;;
    10_*-all) gemm_cases "$1"; read_cases "$1" all ;;
    10_*-small) gemm_small_cases "$1"; read_cases "$1" small ;;
    11_*-all) gemm_cases "$1" | grep -e '--kernel prefetching'; step_cases "$1" all waiting tiles ;;
    11_*-small) gemm_small_cases "$1" | grep -e '--kernel prefetching'; step_cases "$1" small waiting tiles ;;
    12_*-all) gemm_cases "$1" | grep -e '--kernel ring'; step_cases "$1" all stages2 stages3 ;;
    12_*-small) gemm_small_cases "$1" | grep -e '--kernel ring'; step_cases "$1" small stages2 stages3 ;;
    13_*-all) gemm_cases "$1"; order_cases "$1" all ;;
    13_*-small) gemm_small_cases "$1"; order_cases "$1" small ;;
    14_*-all) gemm_cases "$1"; schedule_cases "$1" all ;;
    14_*-small) gemm_small_cases "$1"; schedule_cases "$1" small ;;
    15_*-all) gemm_cases "$1"; length_cases "$1" all ;;
    15_*-small) gemm_small_cases "$1"; length_cases "$1" small ;;
    16_*-all) gemm_cases "$1"; epilogue_cases "$1" all ;;
    16_*-small) gemm_small_cases "$1"; epilogue_cases "$1" small ;;
    17_*-all) gemm_cases "$1"; f64_cases "$1" all ;;
    17_*-small) gemm_small_cases "$1"; f64_cases "$1" small ;;
    18_*-all | 19_*-all) gemm_cases "$1"; tma_cases "$1" all ;;
    18_*-small | 19_*-small) gemm_small_cases "$1"; tma_cases "$1" small ;;
    20_*-all) gemm_cases "$1" | grep -e '--kernel tuned'; hopper_cases "$1" all ;;
    20_*-small) gemm_small_cases "$1" | grep -e '--kernel tuned'; hopper_cases "$1" small ;;
    21_*-all) gemm_cases "$1" | shared_cases ;;
    21_*-small) gemm_small_cases "$1" | shared_cases ;;
    *-all) gemm_cases "$1" ;;
    *-small) gemm_small_cases "$1" ;;
  esac
}

# ---- Running ----

# Run number $1 of the line $2: its record in $work, and a line in $work/failed if it did not end with 0.
run_case() {
  local number=$1 words code=0
  read -r -a words <<<"$2"
  timeout 120 "$bin/${words[0]}" "${words[@]:1}" --json "$work/$number.json" >"$work/$number.log" 2>&1 || code=$?
  [ "$code" = 0 ] || { echo "exit code $code: $2"; tail -n 5 "$work/$number.log"; } >>"$work/failed"
}

# The lines of file $1, numbers and cases of one GEMM chapter, in one process: a GPU's takes longer to begin than a
# small case.
run_cases() {
  local chapter
  chapter=$(head -n 1 "$1" | cut -f 2 | cut -d ' ' -f 1)
  sed -E "s|^([0-9]+)\t$chapter (.*)|\2 --json $work/\1.json|" "$1" >"$1.each"
  timeout 900 "$bin/$chapter" --each "$1.each" >"$1.log" 2>&1
  awk -v wanted="$(wc -l <"$1")" '
    function finish() {
      if (command == "") return
      ++count
      if (code != "" || !right) print "exit code " (code == "" ? "none" : code) ": " command "\n" text
    }
    /^\$ / { finish(); command = substr($0, 3); code = text = ""; right = 0; next }
    /^\[exit code / { code = $3; sub("]", "", code); next }
    /^verdict: right/ { right = 1 }
    /wrong|not |error|hazard/ { text = text "  " $0 "\n" }
    END {
      finish()
      if (count < wanted) print "exit code none: " wanted - count " cases after the last one did not run"
    }' "$1.log" >>"$work/failed"
}

# One case under one tool of compute-sanitizer: $2 is "TOOL|case".
sanitize_case() {
  local number=$1 tool=${2%%|*} words code=0
  read -r -a words <<<"${2#*|}"
  timeout 300 "$sanitizer" --tool "$tool" --error-exitcode 99 "$bin/${words[0]}" "${words[@]:1}" \
    >"$work/$number.log" 2>&1 || code=$?
  local summary
  summary=$(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$work/$number.log" | tail -n 1)
  echo "$tool ${words[*]}: exit code $code, $summary" >>"$output/sanitizer.log"
  [ "$code" = 0 ] ||
    { echo "exit code $code under $tool: ${words[*]}"; grep '=====' "$work/$number.log" | head -n 12; } >>"$work/failed"
}
# $1 is "NUMBER<tab>LINE", as cat -n writes it.
numbered() {
  local number line
  IFS=$'\t' read -r number line <<<"$1"
  "${function:?}" "$number" "$line"
}
export -f run_case run_cases sanitize_case numbered

# Runs function $1 on each line of stdin, $jobs at a time; says how many failed.
all() {
  : >"$work/failed"
  rm -f "$work"/*.json
  cat -n - | sed 's/^ *//' >"$work/lines"
  rm -rf "$work/parts"
  mkdir "$work/parts"
  if [ "$1" = run_cases ]; then
    split -n "r/$jobs" -e "$work/lines" "$work/parts/"
    find "$work/parts" -type f | xargs -P "$jobs" -n 1 bash -c 'run_cases "$1"' _
  else
    function=$1 xargs -P "$jobs" -d '\n' -n 1 bash -c 'numbered "$1"' _ <"$work/lines"
  fi
  local count bad
  count=$(wc -l <"$work/lines")
  bad=$(grep -c '^exit code' "$work/failed")
  say "$2: $count runs, $bad failed ($SECONDS s)"
  [ "$count" -gt 0 ] || failures=$((failures + 1))
  [ "$bad" = 0 ] || { tee -a "$output/summary.txt" <"$work/failed"; failures=$((failures + bad)); }
}

# The records of the runs as one JSON array.
join_records() {
  local separator="["
  find "$work" -name '*.json' | sort -V | while read -r record; do
    echo "$separator"
    cat "$record"
    separator=","
  done
  echo "]"
}

# Without a GPU nothing here makes sense.
first=$(chapters | grep -v '^01_' | head -n 1)
[ -n "$first" ] || { say "no chapters in $bin: build the cuda backend first"; exit 2; }
code=0
"$bin/$first" --json "$work/first.record" >"$work/first.log" 2>&1 || code=$?
[ "$code" != 3 ] || { cat "$work/first.log"; [ "$required" = 1 ] && exit 1; exit 3; }
target=$(sed -n 's/^ *"target": "\(.*\)",*$/\1/p' "$work/first.record" | head -n 1)
[ -n "$target" ] || { cat "$work/first.log"; say "$first says no target"; exit 1; }

check_tests() {
  : >"$output/tests.log"
  for program in "$bin"/tests/test_*; do
    [ -x "$program" ] || continue
    if (cd "$bin/.." && timeout 300 "$program") >>"$output/tests.log" 2>&1; then
      say "$(basename "$program"): right ($SECONDS s)"
    else
      say "$(basename "$program"): WRONG, see tests.log"
      failures=$((failures + 1))
    fi
  done
}

# Each matrix instruction alone leaves a record, whatever else runs.
check_instructions() {
  [ -x "$bin/tests/check_instructions" ] || return 0
  code=0
  timeout 300 "$bin/tests/check_instructions" --json "$output/matrix_instructions.json" \
      >"$output/matrix_instructions.log" 2>&1 || code=$?
  say "check_instructions: exit code $code ($SECONDS s)"
  [ "$code" = 0 ] || { tail -n 20 "$output/matrix_instructions.log"; failures=$((failures + 1)); }
}

check_chapters() {
  for chapter in $(chapters); do
    cases_of "$chapter" "$table" >"$work/cases"
    case $chapter in 01_*) continue ;; esac  # draws layouts, launches nothing
    case $chapter-$target in
      *-sm90) ;;
      18_* | 19_* | 20_*) say "$chapter: not for $target"; continue ;;
    esac
    case $chapter in 02_* | 03_*) all run_case "$chapter" ;; *) all run_cases "$chapter" ;; esac <"$work/cases"
    join_records >"$output/$chapter.json"
  done
}

check_memory() {
  sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
  export sanitizer
  if [ -n "$sanitizer" ]; then
    : >"$output/sanitizer.log"
    for tool in memcheck racecheck initcheck synccheck; do
      for chapter in $(chapters); do cases_of "$chapter" small | sed "s/^/$tool|/"; done
    done >"$work/cases"
    all sanitize_case "compute-sanitizer" <"$work/cases"
    sort -o "$output/sanitizer.log" "$output/sanitizer.log"
  else
    say "compute-sanitizer was not found: its tools were not run"
    failures=$((failures + 1))
  fi
}

[ "$only" != all ] || check_tests
[ "$only" = sanitizer ] || check_instructions
[ "$only" = sanitizer ] || check_chapters
[ "$only" = chapters ] || check_memory
say "$([ "$failures" = 0 ] && echo "everything is right" || echo "$failures failures") ($SECONDS s)"
[ "$failures" = 0 ]
