# PowerShell completion for orgctl
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
