import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifest } from '../../packaging/manifest.js';
import { writeManifests } from '../../packaging/manifests.js';
import { writeSize } from '../../packaging/sizes.js';
import { root } from '../support/built-tool.js';
import { temporaryDirectory } from '../support/run-cli.js';

/** A directory with an archive for each platform, and what was written of them. */
function written(...platforms: string[]) {
  const directory = temporaryDirectory();
  const name = (platform: string) =>
    `orgctl-${manifest.version}-${platform}${platform.startsWith('win') ? '.zip' : '.tar.gz'}`;
  for (const platform of platforms) writeFileSync(join(directory, name(platform)), platform);
  writeFileSync(join(directory, 'orgctl-0.0.9-linux-x64.tar.gz'), 'of another version');
  writeManifests(directory);
  const read = (file: string) => readFileSync(join(directory, file), 'utf8');
  const sum = (platform: string) => createHash('sha256').update(platform).digest('hex');
  return { directory, name, read, sum };
}

describe('what package managers are told', () => {
  it('has the checksum of each archive, as sha256sum reads it', () => {
    const { directory } = written('linux-x64', 'darwin-arm64');
    const { status, stdout } = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], {
      cwd: directory,
      encoding: 'utf8',
    });
    expect([status, stdout.trim().split('\n')]).toEqual([
      0,
      [expect.stringMatching(/darwin.*OK/), expect.stringMatching(/linux.*OK/)],
    ]);
  });

  it('is for brew a formula with each platform that there is', () => {
    const { directory, name, read, sum } = written('linux-x64', 'linux-arm64', 'darwin-arm64');
    const formula = read('orgctl.rb');
    for (const platform of ['linux-x64', 'linux-arm64', 'darwin-arm64']) {
      expect(formula).toContain(`${name(platform)}"\n      sha256 "${sum(platform)}"`);
    }
    expect(formula).not.toContain('darwin-x64');
    const { error, status, stdout } = spawnSync('ruby', ['-c', join(directory, 'orgctl.rb')], {
      encoding: 'utf8',
    });
    if (error) return console.warn('ruby is not installed: the formula is not checked for syntax');
    expect([status, stdout]).toEqual([0, 'Syntax OK\n']);
  });

  it('is for scoop a manifest, where there is an archive for Windows', () => {
    const { name, read, sum } = written('win-x64');
    const { version, bin, architecture } = JSON.parse(read('orgctl.json'));
    expect([version, bin, architecture['64bit'].hash]).toEqual([
      manifest.version,
      'orgctl.exe',
      sum('win-x64'),
    ]);
    expect(architecture['64bit'].url).toMatch(new RegExp(`/${name('win-x64')}$`));
    expect(readdirSync(written('linux-x64').directory)).not.toContain('orgctl.json');
  });
});

describe('the SBOM of the executable', () => {
  const { components, dependencies, metadata, bomFormat, specVersion } = JSON.parse(
    readFileSync(join(root, 'dist-standalone', 'orgctl.cdx.json'), 'utf8'),
  );
  const names: string[] = components.map(({ name }: { name: string }) => name);

  it('names each package that the notices have, and Node.js and the keyring beside them', () => {
    const notices = readFileSync(join(root, 'dist-standalone', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const noticed = [...notices.matchAll(/^-{80}\n(\S+) \S+ \(/gm)].map(([, name]) => name);
    expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.6']);
    expect(names).toEqual([...noticed, expect.stringMatching(/^node-/)]);
    expect(names).toContainEqual(expect.stringMatching(/^@napi-rs\/keyring-/));
    expect(notices).toContain('N-API for Rust');
    expect(names).toEqual(expect.arrayContaining(['undici', 'commander', 'kysely', 'preact']));
  });

  it('connects them: whatever is in it is reached from the product', () => {
    const edges = new Map<string, string[]>(
      dependencies.map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [ref, dependsOn]),
    );
    const reached = new Set<string>([metadata.component['bom-ref']]);
    for (const ref of reached) for (const next of edges.get(ref) ?? []) reached.add(next);
    expect([...reached].sort()).toEqual([...edges.keys()].sort());
    expect(edges.size).toBe(components.length + 1);
    const fastify = [...edges].find(([ref]) => ref.startsWith('pkg:npm/fastify@'))?.[1];
    expect(fastify).toContainEqual(expect.stringMatching(/^pkg:npm\/find-my-way@/));
    expect(names).not.toContain('libsql');
  });

  it('says of each which it is, and under what licence', () => {
    for (const { purl, licenses } of components) {
      expect(purl).toMatch(/^pkg:npm\/(?:%40[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
      expect(licenses).toHaveLength(1);
    }
  });
});

describe('the archive', () => {
  const name = readdirSync(join(root, 'dist-standalone')).find((file) => file.endsWith('.tar.gz')) ?? '';

  it.runIf(process.platform === 'linux')('is the same when it is packed again', { timeout: 120_000 }, () => {
    const path = join(root, 'dist-standalone', name);
    const digest = () => createHash('sha256').update(readFileSync(path)).digest('hex');
    const first = digest();
    const packed = spawnSync('npm', ['run', 'build:archive', '--silent'], { cwd: root, encoding: 'utf8' });
    expect(packed).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(digest()).toBe(first);
  });
});

describe('the SBOM of the package', () => {
  it.each([
    ['dist/sbom.cdx.json', ['libsql']],
    ['dist/cli/sbom.cdx.json', ['@napi-rs/keyring', 'libsql']],
  ])('%s has what is installed beside the bundle', (path, beside) => {
    const { components } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    const scoped = components.filter(({ scope }: { scope?: string }) => scope !== undefined);
    const installed = scoped.map((component: { name: string }) => component.name);
    expect(installed).toEqual(expect.arrayContaining([...beside, '@libsql/linux-x64-gnu', 'detect-libc']));
  });
});

it('the sizes on the page of packages are written by the builds', () => {
  const page = readFileSync(join(root, 'docs/operations/packages.md'), 'utf8');
  const sizes = (['npm', 'executable', 'deb'] as const).reduce(
    (text, name) => writeSize(text, name, name === 'npm' ? 1_260_000 : 99_600_000),
    page,
  );
  const found = [...sizes.matchAll(/<!-- size of (\w+) -->([\d.]+ MB)/g)].map(([, name, size]) => [
    name,
    size,
  ]);
  expect(found).toEqual([
    ['npm', '1.3 MB'],
    ['executable', '100 MB'],
    ['deb', '100 MB'],
  ]);
  expect(page.match(/[\d.]+ MB/g)).toHaveLength(found.length);
  expect(() => writeSize('', 'deb', 1)).toThrow('has no size of deb');
});
