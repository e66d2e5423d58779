#!/bin/sh
# cuda.sh: compiles litmus/cuda/*.cu to the PTX beside them, by nvcc, and below clang/, by clang; a compiler that is not
# here is left out by name. Paths of this machine are taken out of the files.
set -eu
cd "$(dirname "$0")/../litmus/cuda"
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ -x "$nvcc" ] || { echo "no nvcc: litmus/cuda/*.ptx stay"; nvcc=; }
command -v clang >/dev/null || { echo "no clang: litmus/cuda/clang/*.ptx stay"; clang=; }
for source in *.cu; do
    name=${source%.cu}
    [ -z "$nvcc" ] || "$nvcc" -ptx -lineinfo "$source" -o "$name.ptx"
    # Without the toolkit clang has no cooperative groups.
    [ -z "${clang-clang}" ] || grep -q cooperative_groups "$source" || clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -O2 \
        -gline-tables-only -Xclang -target-feature -Xclang +ptx60 -Wno-unknown-cuda-version -S "$source" -o "clang/$name.ptx"
done
sed -i -e 's|^\([[:space:]]*\.file[[:space:]].*"\)/.*/include/\(.*/\)*\([^/"]*"\)|\1include/\3|' \
    -e 's|^\([[:space:]]*\.file[[:space:]].*"\)/.*/\([^/"]*"\)|\1\2|' -- *.ptx clang/*.ptx
