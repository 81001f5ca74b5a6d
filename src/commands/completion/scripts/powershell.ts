/**
 * PowerShell, from 5.1 on. The line up to the cursor is handed over; quotes within an argument of a native command are
 * lost in older versions, so double quotes become single ones. No answer means that PowerShell completes file names.
 */
export const powershell = `# PowerShell completion for orgctl
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
