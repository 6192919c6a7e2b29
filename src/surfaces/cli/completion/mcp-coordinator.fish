# Completion of mcp-coordinator for fish. Into ~/.config/fish/config.fish:  mcp-coordinator completion fish | source
function __mcp_coordinator_suggest
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] completion suggest -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c mcp-coordinator -f -a '(__mcp_coordinator_suggest)'
