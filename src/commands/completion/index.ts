import { argument, command } from '../../cli/command.js';

/** Bash 3.2 (macOS) and later. Bash splits words at `=` and `:`, so the script passes the whole line. */
const bash = `# bash completion for orgctl
_orgctl() {
  local line=\${COMP_LINE:0:COMP_POINT} answer value before=
  COMPREPLY=()
  while IFS= read -r answer; do
    if [[ $answer == ':files' ]]; then
      compopt -o default -o filenames 2>/dev/null
      return
    fi
    COMPREPLY+=("\${answer%%$'\\t'*}")
  done < <(orgctl __complete --line "$line" 2>/dev/null)
  compopt +o default 2>/dev/null
  value=\${line##*[[:space:]]}
  if [[ $value == -*=* && $COMP_WORDBREAKS == *=* ]]; then
    before=\${value%%=*}=
    COMPREPLY=("\${COMPREPLY[@]#"$before"}")
  fi
}
complete -o default -F _orgctl orgctl
`;

/** Zsh. Works as an autoloaded function of `fpath` and when sourced. */
const zsh = `#compdef orgctl
# zsh completion for orgctl
_orgctl() {
  local answer
  local -a answers described
  answers=("\${(@f)$(orgctl __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ \${answers[1]} == ':files' ]]; then
    compset -P '--*='
    _files
    return
  fi
  for answer in "\${(@)answers}"; do
    [[ -n $answer ]] && described+=("\${\${answer%%$'\\t'*}//:/\\\\:}:\${answer#*$'\\t'}")
  done
  (( $#described )) && _describe 'orgctl' described
}
if [[ \${funcstack[1]} == _orgctl ]]; then
  _orgctl "$@"
else
  compdef _orgctl orgctl
fi
`;

/** Fish 3.0 and later, which reads a description after a tab. */
const fish = `# fish completion for orgctl
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

/** PowerShell 5.1 and later. Old versions drop double quotes in arguments, so the script passes single quotes. */
const powershell = `# PowerShell completion for orgctl
Register-ArgumentCompleter -Native -CommandName orgctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $length = $cursorPosition - $commandAst.Extent.StartOffset
    $line = $commandAst.ToString().PadRight($length).Substring(0, $length).Replace('"', "'")
    orgctl __complete --line $line 2>$null | Where-Object { $_ -and $_ -ne ':files' } | ForEach-Object {
        $value, $description = $_ -split [char]9, 2
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
    }
}
`;

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish, powershell };

/** The scripts call `orgctl __complete` for candidates. */
export const completion = command({
  description:
    'Print a script that completes commands, options, profile names, kinds and formats, and names and IDs of resources, which it reads from the service.',
  args: [argument('<shell>', 'the shell that will load it', Object.keys(scripts))],
  examples: [
    ['orgctl completion bash > ~/.local/share/bash-completion/completions/orgctl', 'bash'],
    ['orgctl completion zsh > ~/.zfunc/_orgctl', 'zsh, if fpath contains ~/.zfunc before compinit runs'],
    ['orgctl completion fish > ~/.config/fish/completions/orgctl.fish', 'fish'],
    ['orgctl completion powershell | Out-String | Invoke-Expression', 'PowerShell, in $PROFILE'],
  ],
  async run(context, [shell]) {
    await (await context.printer()).text(scripts[shell] ?? '');
  },
});
