# Completion of tui-tapback for bash; made by: tui-tapback completion bash
_tui_tapback() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path="" word place
    COMPREPLY=()
    for ((place = 1; place < COMP_CWORD; place++)); do
        word=${COMP_WORDS[place]}
        case "${path:+$path }$word" in
            'send'|'react'|'watch'|'export'|'sessions'|'sessions list'|'sessions search'|'sessions rename'|'sessions archive'|'sessions unarchive'|'sessions delete'|'sessions restore'|'sessions repair'|'sessions backup'|'config'|'config get'|'config set'|'config reset'|'config edit'|'config path'|'keys'|'emoji'|'doctor'|'login'|'logout'|'web'|'serve'|'completion'|'man') path=${path:+$path }$word ;;
        esac
    done
    case "$path:$before" in
        ':--connect') :; return ;;
        ':--session') :; return ;;
        ':--theme') :; return ;;
        ':--emoji') COMPREPLY=($(compgen -W 'auto colour full safe text ascii' -- "$current")); return ;;
        'send:--connect') :; return ;;
        'send:--session') :; return ;;
        'send:--timeout') :; return ;;
        'react:--connect') :; return ;;
        'react:--session') :; return ;;
        'react:--row') :; return ;;
        'react:--back') :; return ;;
        'react:--timeout') :; return ;;
        'watch:--connect') :; return ;;
        'watch:--session') :; return ;;
        'watch:--history') :; return ;;
        'export:--connect') :; return ;;
        'export:--session') :; return ;;
        'export:--format') COMPREPLY=($(compgen -W 'text markdown html json' -- "$current")); return ;;
        'export:-o'|'export:--output') compopt -o filenames 2>/dev/null; local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$current")); return ;;
        'export:--timeout') :; return ;;
        'sessions:--connect') :; return ;;
        'sessions:--session') :; return ;;
        'sessions list:--connect') :; return ;;
        'sessions list:--session') :; return ;;
        'sessions list:--query') :; return ;;
        'sessions list:--reacted') :; return ;;
        'sessions list:--limit') :; return ;;
        'sessions search:--connect') :; return ;;
        'sessions search:--session') :; return ;;
        'sessions search:--author') COMPREPLY=($(compgen -W 'user agent' -- "$current")); return ;;
        'sessions search:--reacted') :; return ;;
        'sessions search:--limit') :; return ;;
        'sessions rename:--connect') :; return ;;
        'sessions rename:--session') :; return ;;
        'sessions archive:--connect') :; return ;;
        'sessions archive:--session') :; return ;;
        'sessions unarchive:--connect') :; return ;;
        'sessions unarchive:--session') :; return ;;
        'sessions delete:--connect') :; return ;;
        'sessions delete:--session') :; return ;;
        'sessions restore:--connect') :; return ;;
        'sessions restore:--session') :; return ;;
        'config:--connect') :; return ;;
        'config:--session') :; return ;;
        'keys:--connect') :; return ;;
        'keys:--session') :; return ;;
        'keys:--preset') COMPREPLY=($(compgen -W 'default vim emacs zulip azerty' -- "$current")); return ;;
        'doctor:--connect') :; return ;;
        'doctor:--session') :; return ;;
        'login:--connect') :; return ;;
        'login:--session') :; return ;;
        'login:--with') :; return ;;
        'login:--user') :; return ;;
        'login:--timeout') :; return ;;
        'logout:--connect') :; return ;;
        'logout:--session') :; return ;;
        'web:--connect') :; return ;;
        'web:--session') :; return ;;
        'web:--host') :; return ;;
        'web:--port') :; return ;;
    esac
    case "$path" in
        '')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --version --new --local --plain --theme --emoji --no-mouse' -- "$current")); return ;; esac
            COMPREPLY=($(compgen -W 'send react watch export sessions config keys emoji doctor login logout web serve completion man' -- "$current")) ;;
        'send')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --new --json --timeout' -- "$current")); return ;; esac
            ;;
        'react')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --row --back --last --json --timeout' -- "$current")); return ;; esac
            ;;
        'watch')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json --history' -- "$current")); return ;; esac
            ;;
        'export')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --format --json -o --output --timeout' -- "$current")); return ;; esac
            ;;
        'sessions')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json' -- "$current")); return ;; esac
            COMPREPLY=($(compgen -W 'list search rename archive unarchive delete restore repair backup' -- "$current")) ;;
        'sessions list')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json --query --archived --reacted --limit' -- "$current")); return ;; esac
            ;;
        'sessions search')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json --author --reacted --limit' -- "$current")); return ;; esac
            ;;
        'sessions rename')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json' -- "$current")); return ;; esac
            ;;
        'sessions archive')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json' -- "$current")); return ;; esac
            ;;
        'sessions unarchive')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json' -- "$current")); return ;; esac
            ;;
        'sessions delete')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json --yes' -- "$current")); return ;; esac
            ;;
        'sessions restore')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json' -- "$current")); return ;; esac
            ;;
        'sessions repair')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help' -- "$current")); return ;; esac
            ;;
        'sessions backup')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help' -- "$current")); return ;; esac
            compopt -o filenames 2>/dev/null; local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$current")) ;;
        'config')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json' -- "$current")); return ;; esac
            COMPREPLY=($(compgen -W 'get set reset edit path' -- "$current")) ;;
        'config get')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --json' -- "$current")); return ;; esac
            ;;
        'config set')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --json' -- "$current")); return ;; esac
            ;;
        'config reset')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --json' -- "$current")); return ;; esac
            ;;
        'config edit')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --json' -- "$current")); return ;; esac
            ;;
        'config path')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --json' -- "$current")); return ;; esac
            ;;
        'keys')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --preset --json' -- "$current")); return ;; esac
            ;;
        'emoji')
            case $current in -*) COMPREPLY=($(compgen -W '' -- "$current")); return ;; esac
            ;;
        'doctor')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --json --keys' -- "$current")); return ;; esac
            ;;
        'login')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --with --user --browser --timeout' -- "$current")); return ;; esac
            ;;
        'logout')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session' -- "$current")); return ;; esac
            ;;
        'web')
            case $current in -*) COMPREPLY=($(compgen -W '-h --help --connect --session --host --port' -- "$current")); return ;; esac
            ;;
        'serve')
            case $current in -*) COMPREPLY=($(compgen -W '' -- "$current")); return ;; esac
            ;;
        'completion')
            case $current in -*) COMPREPLY=($(compgen -W '' -- "$current")); return ;; esac
            COMPREPLY=($(compgen -W 'bash zsh fish' -- "$current")) ;;
        'man')
            case $current in -*) COMPREPLY=($(compgen -W '' -- "$current")); return ;; esac
            ;;
    esac
}
complete -F _tui_tapback tui-tapback
