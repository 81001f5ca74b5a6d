import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/built-tool.js';

const output = join(root, 'dist-standalone');
const data = '/var/lib/orgctl';
const settings = '/etc/default/orgctl';
const unit = '/usr/lib/systemd/system/orgctl.service';
const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

function packageFile(): string {
  const name = readdirSync(output).find((file) => file.endsWith('.deb'));
  if (name === undefined) throw new Error('there is no package: npm run build:deb');
  return join(output, name);
}

/** What a command prints; it has to end well. */
function run(file: string, ...args: string[]): string {
  return execFileSync(file, args, { encoding: 'utf8', stdio: 'pipe' });
}

/** Whatever on this system bears the name, but for what dpkg itself keeps of a package. */
function filesOfThatName(): string[] {
  const places = ['/etc', '/lib/systemd', '/usr/bin', '/usr/lib/systemd', '/usr/share', '/var/lib', '/run'];
  return run('find', ...places, '-xdev', '-name', '*orgctl*')
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('/var/lib/dpkg/'));
}

function canInstall(): boolean {
  const isAdministrator = process.geteuid?.() === 0 && !spawnSync('dpkg', ['--version']).error;
  const isFree = !existsSync('/usr/bin/orgctl');
  if (!isAdministrator || !isFree)
    console.warn('the Debian package is not installed: that takes root, dpkg and no other orgctl');
  return isAdministrator && isFree;
}

// In their order: each step is on what the one before has left.
describe.skipIf(!canInstall())('the Debian package', () => {
  const before = canInstall() ? filesOfThatName() : [];

  beforeAll(() => run('dpkg', '--install', packageFile()));
  afterAll(() => {
    spawnSync('dpkg', ['--purge', 'orgctl']);
    spawnSync('rm', ['-rf', data, settings]);
    spawnSync('deluser', ['--quiet', 'orgctl']);
  });

  it('installs the tool, which serves and asks', () => {
    expect(run('/usr/bin/orgctl', '--version')).toBe(`${version}\n`);
    expect(run('/usr/bin/orgctl', 'serve', '-q', '--', '/usr/bin/orgctl', 'quotas')).toContain('connections');
  });

  it('has completion where each shell looks', () => {
    const places = [
      'bash-completion/completions/orgctl',
      'zsh/vendor-completions/_orgctl',
      'fish/vendor_completions.d/orgctl.fish',
    ];
    for (const [index, shell] of ['bash', 'zsh', 'fish'].entries()) {
      expect(readFileSync(join('/usr/share', places[index] ?? ''), 'utf8')).toBe(
        run('/usr/bin/orgctl', 'completion', shell),
      );
    }
  });

  it('has the manual pages that were built', () => {
    const built = join(root, 'dist', 'man');
    for (const page of existsSync(built) ? readdirSync(built) : []) {
      expect(existsSync(`/usr/share/man/man1/${page}.gz`)).toBe(true);
    }
  });

  it('has a unit that systemd takes, for a user of its own, and finds hardened', () => {
    expect(run('getent', 'passwd', 'orgctl')).toMatch(/:\/var\/lib\/orgctl:\/usr\/sbin\/nologin$/m);
    if (spawnSync('systemd-analyze', ['--version']).error)
      return console.warn('systemd-analyze is not installed');
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
    expect(verified).toMatchObject({ status: 0, stderr: '' });
    run('systemd-analyze', 'security', '--offline=yes', '--threshold=20', unit);
  });

  it('serves as that user by the command of the unit', () => {
    run('install', '-d', '-o', 'orgctl', '-g', 'orgctl', '-m', '0700', data);
    const text = readFileSync(unit, 'utf8');
    const command =
      /^ExecStart=(.*) --ready-file \S+ \$ORGCTL_SERVE_OPTIONS$/m.exec(text)?.[1]?.split(' ') ?? [];
    run('runuser', '-u', 'orgctl', '--', ...command, '--port', '0', '-q', '--', 'true');
    expect(statSync(join(data, 'orgctl.db')).mode & 0o777).toBe(0o600);
  });

  it('has the notices of all that the executable contains', () => {
    const copyright = readFileSync('/usr/share/doc/orgctl/copyright', 'utf8');
    expect(copyright).toMatch(/^@napi-rs\/keyring-\S+ \S+ \(MIT\)$/m);
    expect(copyright).toMatch(/^Node\.js is licensed/m);
  });

  it('leaves nothing when it is purged, but the data, and what they need: their user and the master key', () => {
    const kept = [...before, settings, data, join(data, 'orgctl.db')].sort();
    writeFileSync(settings, 'ORGCTL_SERVE_MASTER_KEY=\n', { mode: 0o600 });
    run('dpkg', '--remove', 'orgctl');
    expect(filesOfThatName()).toEqual(kept);
    run('dpkg', '--purge', 'orgctl');
    expect(filesOfThatName()).toEqual(kept);
    expect(run('getent', 'passwd', 'orgctl')).toContain('orgctl');
  });

  it('leaves no settings when it is purged without data', () => {
    rmSync(data, { recursive: true });
    run('dpkg', '--install', packageFile());
    run('dpkg', '--purge', 'orgctl');
    expect(filesOfThatName()).toEqual(before);
  });
});
