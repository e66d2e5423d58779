#!/bin/sh
# fresh.sh: the README's two commands on a fresh Debian 12, as root and as an ordinary user with sudo.
#
# debootstrap makes a bare system (minbase, with gcc, make and git) in a folder, of which each of the two
# has a copy with a clone of what is committed here. FRESH_STEPS ("demo check") are the targets that are
# made there, FRESH_USERS ("root user") who makes them, FRESH_FOLDER has the systems while they are there
# (some 4 GB) and FRESH_LOGS what they print. Packages come from where this machine has them:
# apt's sources, proxies, keys and certificates are passed on; FRESH_MIRROR names another source.
# Skipped where one is not root, has no debootstrap or may not mount.
set -u
: "${FRESH_STEPS:=demo check}" "${FRESH_USERS:=root user}" "${FRESH_LOGS:=build/logs/fresh}"
release=bookworm
. tests/corpus/cases.sh
skip() {
    echo "skipped: $1"
    echo "0 passed, 0 failed"
    exit 0
}

# ---- Where packages come from ----

# Address and suite of each source of Debian's that apt has here.
sources() {
    if [ -n "${FRESH_MIRROR:-}" ]; then
        echo "$FRESH_MIRROR $release"
    else
        # shellcheck disable=SC2016 # apt's own words
        apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages' |
            awk -v release=$release '$2 ~ "^" release "(-updates|-security)?$" && $3 == "main" && $4 == "Debian" &&
                !seen[$1, $2]++ { print $1, $2 }'
    fi
}
# How apt reaches them, as it is set here.
apt_settings() { apt-config dump | grep -E '^(Acquire::(http|https|ftp|Check-)|APT::Sandbox)' | grep -v ' "";$'; }
pass_on_apt() { # root
    sources | sed 's/^/deb /; s/$/ main/' >"$1/etc/apt/sources.list"
    apt_settings >"$1/etc/apt/apt.conf.d/90passed-on"
    for kept in /etc/apt/trusted.gpg.d /etc/apt/keyrings /etc/apt/auth.conf /etc/apt/auth.conf.d /etc/ssl/certs \
        /usr/local/share/ca-certificates /etc/resolv.conf; do
        [ ! -e "$kept" ] || { mkdir -p "$1${kept%/*}" && cp -RL "$kept" "$1${kept%/*}/"; } 2>/dev/null
    done
}
# What debootstrap itself fetches, and what is fetched within, is told of proxies by the environment.
proxies() { env | grep -iE '^(http|https|ftp|no)_proxy='; }

# ---- The systems ----

bare() { # root
    mirror=$(sources | awk -v release=$release '$2 == release { print $1; exit }')
    [ -n "$mirror" ] || skip "apt has no source of Debian's $release here; FRESH_MIRROR can name one"
    proxy=$(apt-config dump Acquire::http::Proxy | sed -n 's/^Acquire::http::Proxy "\(.*\)";/\1/p')
    [ -z "$proxy" ] || [ -n "${http_proxy:-}" ] || export http_proxy="$proxy"
    timeout 1800 debootstrap --variant=minbase --include=gcc,make,git $release "$1" "$mirror" \
        >"$logs/debootstrap.log" 2>&1
    verdict $? "debootstrap makes a bare system: $(tail -n 1 "$logs/debootstrap.log")"
    pass_on_apt "$1"
}
# Runs a command in a system, in namespaces of its own, which leave no process and no mount behind.
within() { # root, command
    inside=$1
    shift
    # shellcheck disable=SC2016 # the inner shell's words
    unshare --mount --pid --fork --kill-child --mount-proc="$inside/proc" sh -c '
        mkdir -p "$1/dev/pts" "$1/dev/shm" &&
        mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$1/dev/pts" &&
        rm -f "$1/dev/ptmx" && ln -s pts/ptmx "$1/dev/ptmx" &&
        mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm" &&
        mount --bind "$2" "$1/var/cache/apt/archives" || exit 1
        root=$1
        shift 2
        chroot "$root" "$@"
        exit $?' sh "$inside" "$work/archives" "$@" </dev/null &
    within=$!
    wait "$within"
    set -- $?
    within=
    return "$1"
}
# What is left of the environment is what one has who logs in.
login() { # root, who, folder, command
    system=$1 who=$2 folder=$3
    shift 3
    path=/usr/local/bin:/usr/bin:/bin
    [ "$who" != root ] || path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    # shellcheck disable=SC2046 # a word each
    within "$system" setpriv --reuid "$who" --regid "$who" --init-groups \
        env -i $(proxies) HOME="$folder" USER="$who" LOGNAME="$who" SHELL=/bin/sh PATH="$path" \
        sh -c 'cd "$1/crashlit" && shift && "$@"' sh "$folder" "$@"
}

# A user of a bare system, who may use sudo and has installed nothing.
add_user() { # root
    # shellcheck disable=SC2016
    within "$1" sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
        --no-install-recommends sudo && useradd -m -s /bin/sh user &&
        echo "user ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/user && chmod 440 /etc/sudoers.d/user' \
        >"$logs/add-user.log" 2>&1
    verdict $? "a user with sudo is added: $(tail -n 1 "$logs/add-user.log")"
}

# Packages of a system, with the KiB that each takes there.
installed() { # root
    # shellcheck disable=SC2016 # fields of dpkg-query, not of the shell
    dpkg-query --admindir="$1/var/lib/dpkg" -W -f '${Package} ${Installed-Size}\n' | sort
}
# How many packages came, what was fetched of them, and what they take.
came() { # root, list of before
    installed "$1" | comm -13 "$2" - | {
        count=0 fetched=0 taken=0
        while read -r package size; do
            count=$((count + 1)) taken=$((taken + size))
            fetched=$((fetched + $(find "$work/archives" -name "${package}_*.deb" -printf '%s\n' | sort -n | tail -n 1)))
        done
        echo "$count packages, $((fetched / 1000000)) MB fetched, $((taken * 1024 / 1000000)) MB on disk"
    }
}

try() { # who, its home
    system=$work/$1
    cp -a "$work/bare" "$system"
    [ "$1" = root ] || add_user "$system"
    mkdir -p "$system$2" && cp -R "$work/tree/." "$system$2/"
    [ "$1" = root ] || within "$system" chown -R "$1:$1" "$2"
    for step in $FRESH_STEPS; do
        log=$logs/$1-$step.log start=$(date +%s)
        installed "$system" >"$work/before"
        login "$system" "$1" "$2" timeout "${FRESH_SECONDS:-10800}" make "$step" >"$log" 2>&1
        status=$?
        echo "$1: make $step: $(grep . "$log" | tail -n 1) (status $status, $(($(date +%s) - start)) s; $(came "$system" "$work/before"))"
        [ "$status" -eq 0 ]
        verdict $? "make $step as $1 leaves with 0 (it was $status); its output is in $log"
        case $step in *-deps) ;; check* | editors | web-test) checked "$log" ;; esac
    done
    rm -rf --one-file-system "$system"
}
# All steps ran and passed; what needs more than `make check-deps` installs is named.
checked() { # log
    tail -n 1 "$1" | grep -qE '^[1-9][0-9]* passed, 0 failed$'
    verdict $? "its last line is the sum, without failures"
    grep '(skipped: ' "$1"
    ! grep '(skipped: ' "$1" | grep -v '^cluster '
    verdict $? "nothing is skipped but cluster, which needs Slurm"
}

[ "$(id -u)" -eq 0 ] || skip "only root makes a system in a folder"
for command in debootstrap unshare setpriv apt-get git; do
    command -v $command >/dev/null 2>&1 || PATH=$PATH:/usr/sbin:/sbin
    command -v $command >/dev/null 2>&1 || skip "$command is not installed"
done
unshare --mount --pid --fork --kill-child true 2>/dev/null || skip "no new namespaces may be made here"
mkdir -p "$FRESH_LOGS" && logs=$(cd "$FRESH_LOGS" && pwd) || exit 1
work=$(mktemp -d "${FRESH_FOLDER:-/var/tmp}/crashlit-fresh.XXXXXX") || exit 1
# Nothing less than KILL ends the first process of a namespace; it takes the others with it.
within=
clean_up() {
    trap '' HUP INT TERM
    [ -z "$within" ] || kill -KILL "$within" 2>/dev/null
    # Some gigabytes: it may take longer than a step that is ended has.
    env -u CHECK_STEP setsid rm -rf --one-file-system "$work" &
    wait $!
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$work"
mkdir -p "$work/archives/partial"
git clone -q --no-hardlinks . "$work/tree/crashlit"
verdict $? "what is committed is cloned"
[ ! -d ../shared ] || cp -R ../shared/. "$work/tree/shared"
bare "$work/bare"
for user in $FRESH_USERS; do
    [ "$failed" -eq 0 ] || break
    case $user in
    root) try root /root ;;
    *) try user /home/user ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
