#!/bin/sh
# usage: no_device.sh PROGRAM [ARGUMENT...]
# Runs a program with every GPU hidden. It must exit with 3 and print one line on stderr.
export CUDA_VISIBLE_DEVICES=-1 HIP_VISIBLE_DEVICES=-1 ROCR_VISIBLE_DEVICES=-1
errors=$(mktemp) || exit 1
trap 'rm -f "$errors"' EXIT
"$@" >/dev/null 2>"$errors"
code=$?
lines=$(wc -l <"$errors")
cat "$errors"
if [ "$code" -ne 3 ] || [ "$lines" -ne 1 ]; then
  echo "exit code $code (3 was expected), $lines lines on stderr (1 was expected): $*"
  exit 1
fi
