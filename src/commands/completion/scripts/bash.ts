/**
 * Bash, from 3.2 of macOS on. Bash splits words at `=` and `:` too, and leaves quotes in; so the line is handed over as
 * it stands, and of each answer only what follows the last `=` of the word is for Bash to insert.
 */
export const bash = `# bash completion for orgctl
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
