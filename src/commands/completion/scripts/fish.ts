/** Fish, from 3.0 on. It takes a tab and a description after each answer as they come. */
export const fish = `# fish completion for orgctl
function __orgctl_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -e words[1]
    set -l answers (orgctl __complete -- $words "$word" 2>/dev/null)
    if test "$answers[1]" = ':files'
        set -l option (string match -r -- '^--[^=]*=' "$word")
        for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$word"))
            echo "$option$path"
        end
        return
    end
    printf '%s\\n' $answers
end
complete -c orgctl -f -a '(__orgctl_complete)'
`;
