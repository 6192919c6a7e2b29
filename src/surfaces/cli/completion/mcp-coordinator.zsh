#compdef mcp-coordinator
# Completion of mcp-coordinator for zsh. Into ~/.zshrc, after compinit:  source <(mcp-coordinator completion zsh)
_mcp_coordinator() {
  local value summary
  local -a names assignments
  local -i files=0
  while IFS=$'\t' read -r value summary; do
    if [[ $value == :files ]]; then
      files=1
    elif [[ $value == *= ]]; then
      assignments+=("$value")
    else
      names+=("${value//:/\\:}${summary:+:$summary}")
    fi
  done < <("${words[1]}" completion suggest -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( ${#assignments} )) && compadd -S '' -- "${assignments[@]}"
  (( ${#names} )) && _describe -V 'mcp-coordinator' names
  (( files )) && _files
  return 0
}
(( $+functions[compdef] )) && compdef _mcp_coordinator mcp-coordinator
