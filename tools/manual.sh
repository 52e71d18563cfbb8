#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual page and the completions of shells, made from what the command says of itself, so that
# they know every command and option.
#
#   tools/manual.sh ONDINE ondine.1|ondine.bash|_ondine
set -eu
ondine=${1:?usage: tools/manual.sh ONDINE ondine.1|ondine.bash|_ondine}
what=${2:?usage: tools/manual.sh ONDINE ondine.1|ondine.bash|_ondine}

# "run simulate a scene: ...", one a line.
commands() {
    "$ondine" --help | sed -n 's/^  \([a-z][a-z]*\)   *\([^ ].*\)$/\1 \2/p' | grep -v '^ondine '
}

help_of() {
    "$ondine" "$1" --help
}

# "--film", "-o" ...: every option of a command, one a line.
options() {
    help_of "$1" | sed -n '/^Options:/,$p' | sed -n 's/^  \(-[^ ].*\)$/\1/p' |
        sed 's/   *.*//' | tr ', ' '\n\n' | grep '^-' | LC_ALL=C sort -u
}

roff() { # text that is no macro, and whose dashes stay dashes
    sed -e 's/\\/\\e/g' -e "s/^\([.']\)/\\\\\&\1/" -e 's/-/\\-/g'
}

manual_command() {
    printf '.SS "ondine %s"\n' "$1"
    help_of "$1" | sed -n '1s/^Usage: //p' | roff | sed 's/^/.B /'
    printf '.PP\n'
    # Prose up to the options; what is indented is an example.
    help_of "$1" | sed -e 1d -e '/^Options:/,$d' | roff |
        awk '/^  / { if (!nf) print ".PP\n.nf"; nf = 1; print; next }
             { if (nf) print ".fi"; nf = 0; if ($0 == "") print ".PP"; else print }
             END { if (nf) print ".fi" }'
    help_of "$1" | sed -e '1,/^Options:/d' | roff |
        awk '/^  \\-/ { line = $0; sub(/^  /, "", line); at = match(line, /   */)
                        print ".TP\n.B " substr(line, 1, at - 1); print substr(line, at + RLENGTH); next }
             NF { sub(/^ */, ""); print }'
}

manual() {
    printf '.\\" Made by tools/manual.sh from --help.\n'
    printf '.TH ONDINE 1 "" "%s" "User commands"\n' "$("$ondine" --version)"
    printf '.SH NAME\nondine \\- turns a scene file into an animated fluid\n'
    printf '.SH SYNOPSIS\n.B ondine\n.I COMMAND\n[options]\n'
    printf '.SH DESCRIPTION\n'
    printf 'Water that splashes, solids that melt and set again, grains, smoke and currents: a scene\n'
    printf 'file in YAML goes in, particles or cells, smooth surfaces, pictures and a film come out.\n'
    printf 'What stands in scene files is told by\n.BR "ondine info \\-\\-keys markdown" .\n'
    printf '.SH COMMANDS\n'
    commands | while read -r name rest; do
        printf '.TP\n.B %s\n' "$name"
        printf '%s\n' "$rest" | roff
    done
    printf '.SH OPTIONS\n'
    commands | while read -r name rest; do manual_command "$name"; done
    printf '.SH EXIT STATUS\n'
    printf '.TP\n.B 0\nDone.\n.TP\n.B 1\nIt failed at run time.\n'
    printf '.TP\n.B 2\nBad usage, or a bad scene.\n'
    printf '.TP\n.B 130\nStopped by Ctrl\\-C; the checkpoint is written (143: by SIGTERM).\n'
    printf '.SH ENVIRONMENT\n.TP\n.B ONDINE_ISA\n'
    printf 'base, v3 or v4: the most that loops may use of the processor.\n'
}

bash_completion() {
    printf '# Completion of ondine for bash; made by tools/manual.sh from --help.\n'
    printf '_ondine()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} words=\n'
    printf '    if ((COMP_CWORD == 1)); then\n        words="%s help --help --version"\n    else\n' \
        "$(commands | sed 's/ .*//' | tr '\n' ' ' | sed 's/ $//')"
    printf '        case ${COMP_WORDS[1]} in\n'
    commands | while read -r name rest; do
        printf '        %s) words="%s" ;;\n' "$name" "$(options "$name" | tr '\n' ' ' | sed 's/ $//')"
    done
    printf '        help) words="%s" ;;\n' "$(commands | sed 's/ .*//' | tr '\n' ' ' | sed 's/ $//')"
    printf '        esac\n        [[ $word == -* || ${COMP_WORDS[1]} == help ]] || words=\n    fi\n'
    printf '    COMPREPLY=($(compgen -W "$words" -- "$word"))\n}\n'
    printf 'complete -o default -F _ondine ondine\n'
}

zsh_completion() {
    printf '#compdef ondine\n# Made by tools/manual.sh from --help.\n'
    printf '_ondine() {\n    if ((CURRENT == 2)); then\n        local -a known=(\n'
    commands | while read -r name rest; do
        printf "            '%s:%s'\n" "$name" "$(printf '%s' "$rest" | sed "s/'/'\\\\''/g; s/:/\\\\:/g")"
    done
    printf '        )\n        _describe command known\n        return\n    fi\n    case $words[2] in\n'
    commands | while read -r name rest; do
        printf '    %s) compadd -- %s ;;\n' "$name" "$(options "$name" | tr '\n' ' ' | sed 's/ $//')"
    done
    printf '    esac\n    _files\n}\n_ondine "$@"\n'
}

case $what in
ondine.1) manual ;;
ondine.bash) bash_completion ;;
_ondine) zsh_completion ;;
*) echo "manual: there is no $what" >&2 && exit 2 ;;
esac
