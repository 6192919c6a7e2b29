# Completion of mcp-coordinator for bash. Into ~/.bashrc:  source <(mcp-coordinator completion bash)
_mcp_coordinator() {
  local current="${COMP_WORDS[COMP_CWORD]}" value rest
  # Bash cuts words at "=": what was asked about is before it.
  [ "$current" = "=" ] && current=""
  COMPREPLY=()
  while IFS=$'\t' read -r value rest; do
    if [ "$value" = ":files" ]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$current")
    else
      [[ "$value" == *= ]] && compopt -o nospace 2>/dev/null
      COMPREPLY+=("$value")
    fi
  done < <("${COMP_WORDS[0]}" completion suggest -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _mcp_coordinator mcp-coordinator
