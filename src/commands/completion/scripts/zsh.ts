/** Zsh. The file works both as an autoloaded function of `fpath` and when it is sourced. */
export const zsh = `#compdef orgctl
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
