import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { useToolOnPath } from '../support/built-tool.js';
import { isMissing } from '../support/programs.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';

// Each script is loaded into the real shell, and completions are asked for as a key does it.
const toolDirectory = useToolOnPath();

/** A directory with the script, two profiles and files to be completed, and the environment of a shell in it. */
async function workplace(shell: string) {
  const directory = temporaryDirectory();
  const own = emptyEnvironment();
  const config = own['ORGCTL_CONFIG_DIR'] ?? '';
  const profile = { baseUrl: 'https://api.example.com:8443/v1', keyId: 'key_a' };
  const profiles = { prod: profile, 'pre-prod': profile };
  mkdirSync(config, { mode: 0o700 });
  writeFileSync(join(config, 'profiles.json'), JSON.stringify({ version: 1, profiles }), { mode: 0o600 });
  writeFileSync(join(directory, 'ca one.pem'), '');
  mkdirSync(join(directory, 'carpets'));
  const { stdout } = await runCli(['completion', shell]);
  writeFileSync(join(directory, '_orgctl'), stdout);
  const env = { ...own, PATH: `${toolDirectory}:${process.env['PATH']}`, HOME: directory, TERM: 'dumb' };
  return { directory, env };
}

async function run(shell: string, args: readonly string[], place: Awaited<ReturnType<typeof workplace>>) {
  const { directory: cwd, env } = place;
  const { stdout } = await promisify(execFile)(shell, args, { cwd, env, timeout: 60_000 });
  return stdout;
}

describe.skipIf(isMissing('bash'))('in bash', () => {
  it('words, options, values, profiles and files complete', async () => {
    // What readline sets, with its own splitting at = and quotes left in; compgen does files as -o default does.
    const script = `
      source ./_orgctl
      complete -p orgctl
      compopt() { [[ $1 == -o ]] && echo files; }
      try() { COMP_LINE=$1 COMP_POINT=$\{#1} _orgctl; printf '[%s]' "$\{COMPREPLY[@]}"; echo; }
      try 'orgctl connections --all l'
      try 'orgctl --profile=pr'
      try "orgctl --query 'a b' quotas --fail"
      try 'orgctl quotas --ca-file c'
      COMP_WORDBREAKS=' '
      try 'orgctl --output=y'
      COMP_LINE='orgctl con quotas' COMP_POINT=10 _orgctl; echo "$\{COMPREPLY[@]}"`;
    const stdout = await run('bash', ['--norc', '-c', script], await workplace('bash'));
    expect(stdout.split('\n')).toEqual([
      'complete -o default -F _orgctl orgctl',
      '[list]',
      '[prod][pre-prod]',
      '[--fail-over]',
      'files',
      '[]',
      '[--output=yaml]',
      'connections',
      '',
    ]);
  });
});

describe.skipIf(isMissing('zsh'))('in zsh', () => {
  it('words, options, values, profiles and files complete, typed at a terminal', async () => {
    const lines = [
      ['orgctl connections --all li', 'orgctl connections --all list '],
      ['orgctl -p pre', 'orgctl -p pre-prod '],
      ["orgctl --query 'a b' prof", "orgctl --query 'a b' profile "],
      ['orgctl --ca-file ca\\ ', 'orgctl --ca-file ca\\ one.pem '],
    ] as const;
    // A shell on a pseudo-terminal of its own; Ctrl-T prints what stands on its line after the tab.
    const script = `
      zmodload zsh/zpty
      zpty shell zsh -f -i
      until_line() { while zpty -r shell line; do [[ $line == *$1* ]] && break; done }
      zpty -w shell "PS1= ; unset zle_bracketed_paste; autoload -U compinit; compinit -u -d ./dump; source ./_orgctl"
      zpty -w shell 'show() { print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N show; bindkey "^T" show; echo rea""dy'
      until_line ready
      for typed in "$@"; do
        zpty -w -n shell "$typed"$'\\t\\x14'
        until_line '<<'
        line=$\{line##*<<}
        print -r -- "$\{line%%>>*}"
      done`;
    const args = ['-f', '-c', script, 'zsh', ...lines.map(([typed]) => typed)];
    const stdout = await run('zsh', args, await workplace('zsh'));
    expect(stdout.split('\n').slice(0, -1)).toEqual(lines.map(([, completed]) => completed));
  });
});

describe.skipIf(isMissing('fish'))('in fish', () => {
  it('words, options, values, profiles and files complete', async () => {
    const address = 'https://api.example.com:8443/v1';
    const lines = [
      ['orgctl connections --all li', 'list\tlist connections\n'],
      ['orgctl -p ', `pre-prod\t${address}\nprod\t${address}\n`],
      ['orgctl --output=j', '--output=json\n--output=jsonl\n'],
      ["orgctl --query 'a b' prof", 'profile\tmanage profiles: the services and keys that orgctl uses\n'],
      ['orgctl --ca-file ca', 'ca one.pem\ncarpets/\n'],
    ] as const;
    const script = 'source ./_orgctl; for line in $argv; complete -C $line; echo; end';
    const args = ['--no-config', '-c', script, ...lines.map(([typed]) => typed)];
    const stdout = await run('fish', args, await workplace('fish'));
    expect(stdout).toBe(lines.map(([, completed]) => `${completed}\n`).join(''));
  });
});
