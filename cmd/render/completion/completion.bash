# Functions for completion in bash. They call those of the package bash-completion if it is loaded, and work without it.

# __render_words sets cur, prev, words and cword as _get_comp_words_by_ref -n =:@ does. words contains the words up to
# the cursor; parts that bash has cut at =, : and @ are joined again.
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

# __render_files [EXTENSIONS] completes files like _filedir: all files, or folders and the files with an extension in a
# list such as 'png|jpg|'. With -d it completes only folders.
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

# __render_cut WORD removes from each candidate the part of the current word that bash keeps: everything up to the last
# character at which bash cuts words.
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

