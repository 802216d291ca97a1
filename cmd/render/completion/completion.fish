# Completion of render for fish. It replaces the script of cobra, which offers files of all types even if the program
# wants only some, fails after --flag=, and evaluates the words of the command line.

# __render_files PREFIX WORD [EXTENSION...] prints the folders, and the files with one of the extensions, whose paths
# begin with WORD. PREFIX is printed before each. Without extensions it prints all files; with / it prints only folders.
function __render_files --argument-names prefix word
    set -l endings (string escape --style=regex -- $argv[3..-1])
    for file in (complete --do-complete "'' $word")
        set -l name (string split --max 1 -- \t $file)[1]
        if not set -q endings[1]; or string match --quiet --ignore-case --regex -- '(/|\.('(string join '|' -- $endings)'))$' $name
            printf '%s\n' "$prefix$name"
        end
    end
end

function __render_complete
    set -l words (commandline --tokenize --current-process --cut-at-cursor)
    set -l word (commandline --current-token --cut-at-cursor)
    set -l typed (string unescape -- $word; or printf '%s' $word)
    type --query -- $words[1]; or return
    set -l found ($words[1] __complete $words[2..-1] "$typed" 2>/dev/null)
    # The last line is a sum of flags, which the documentation of cobra lists.
    set -l directive (string match --regex --groups-only -- '^:(\d+)$' $found[-1]); or return
    set -e found[-1]
    set -l failed 1
    set -l no_space 2
    set -l no_files 4
    set -l extensions 8
    set -l folders 16
    test (math "bitand($directive, $failed)") -eq 0; or return

    # In --flag=value, only the value is completed.
    set -l prefix (string match --regex -- '^-[^=]*=' $word)
    set -l value (string replace --regex -- '^-[^=]*=' '' $word)
    if test (math "bitand($directive, $extensions)") -ne 0
        __render_files "$prefix" "$value" $found
        return
    else if test (math "bitand($directive, $folders)") -ne 0
        __render_files "$prefix" "$value" /
        return
    end
    for line in $found
        printf '%s\n' "$prefix$line"
    end
    # fish adds a space to a single candidate, unless the candidate ends with one of these characters.
    set -l matching (string match --regex -- '^'(string escape --style=regex -- "$value")'[^\t]*' $found)
    if test (math "bitand($directive, $no_space)") -ne 0; and test (count $matching) -eq 1; and not string match --quiet --regex -- '[@=/:.,]$' $matching
        printf '%s,\n' "$prefix$matching"
    end
    if not set -q found[1]; and test (math "bitand($directive, $no_files)") -eq 0
        __render_files "$prefix" "$value"
    end
end

complete -c render --erase
complete -c render --no-files --keep-order --arguments '(__render_complete)'
