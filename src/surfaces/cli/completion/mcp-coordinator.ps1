# Completion of mcp-coordinator for PowerShell. Into $PROFILE:  mcp-coordinator completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName mcp-coordinator -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -le $cursorPosition } | ForEach-Object { $_.Extent.Text })
  if ($wordToComplete -eq '') { $words += '' }
  & mcp-coordinator completion suggest '--' @words 2>$null | ForEach-Object {
    $value, $summary = $_ -split "`t", 2
    if ($value -eq ':files') {
      Get-ChildItem -Path "$wordToComplete*" -Name | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
    } else {
      $shown = if ($summary) { $summary } else { $value }
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $shown)
    }
  }
}
