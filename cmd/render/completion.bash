# What the completion of bash needs from the package bash-completion, or does itself without.

# __render_words sets cur, prev, words and cword as _get_comp_words_by_ref -n =:@ does: words up to
# the cursor, put together again where bash cuts them at =, : and @.
__render_words()
{
    if declare -F _get_comp_words_by_ref >/dev/null; then
        _get_comp_words_by_ref "$@"
        return
    fi
    local line=${COMP_LINE:0:COMP_POINT} i word last
    words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        last=$((${#words[@]} - 1))
        if ((i > 0)) && [[ $line != [[:space:]]* && ( $word == [=:@]* || ${words[last]} == *[=:@] ) ]]; then
            words[last]+=$word
        else
            words+=("$word")
        fi
        line=${line#*"$word"}
    done
    cword=$((${#words[@]} - 1))
    cur=${words[cword]}
    prev=
    ((cword == 0)) || prev=${words[cword - 1]}
}

# __render_files completes files like _filedir: all, those with extensions such as 'png|jpg|', or with
# -d folders only.
__render_files()
{
    if declare -F _filedir >/dev/null; then
        _filedir "$@"
        return
    fi
    compopt -o filenames 2>/dev/null
    local file extension
    while IFS= read -r file; do
        extension=$(tr '[:upper:]' '[:lower:]' <<<"${file##*.}")
        if [[ -d $file || -z $1 || "|$1" == *"|$extension|"* ]]; then
            COMPREPLY+=("$file")
        fi
    done < <(compgen -f -- "$cur")
}

# __render_cut removes from the candidates what bash keeps of the current word: all up to the last character at which
# bash cuts words.
__render_cut()
{
    local cur=$1 char before kept= i
    for char in = : @; do
        before=${cur%"${cur##*"$char"}"}
        if [[ $COMP_WORDBREAKS == *"$char"* ]] && ((${#before} > ${#kept})); then
            kept=$before
        fi
    done
    for i in "${!COMPREPLY[@]}"; do
        COMPREPLY[i]=${COMPREPLY[i]#"$kept"}
    done
}

