import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { executable, licences, manPages, output, platformOf, root, sourceDate } from '../contents.js';
import { manifest } from '../manifest.js';
import { measureFile, recordSize } from '../sizes.js';

// Makes a Debian package of the executable from `npm run build:standalone`.

const tree = join(output, 'debian');
const { debianArchitecture } = platformOf(process.platform, process.arch);
const version = `${manifest.version}-1`;
const target = join(output, `orgctl_${version}_${debianArchitecture}.deb`);

main();

function main(): void {
  if (!existsSync(executable)) throw new Error(`${executable} does not exist: run npm run build:standalone`);
  rmSync(tree, { recursive: true, force: true });
  program();
  completion();
  documentation();
  unit();
  control();
  // The modes must not depend on the umask of the user who builds.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', tree]);
  const compression = ['-Zxz', `-z${process.env['ORGCTL_COMPRESSION'] ?? 6}`];
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, target], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(sourceDate()) },
  });
  // Another compression would give another size.
  if (process.env['ORGCTL_COMPRESSION'] === undefined) recordSize('deb', measureFile(target));
}

/** Adds a file to the package. @param path its path after installation */
function install(path: string, content: string | Buffer, mode = 0o644): void {
  const file = join(tree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

function program(): void {
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  copyFileSync(executable, join(tree, 'usr/bin/orgctl'));
  chmodSync(join(tree, 'usr/bin/orgctl'), 0o755);
}

function completion(): void {
  const places = {
    bash: 'usr/share/bash-completion/completions/orgctl',
    zsh: 'usr/share/zsh/vendor-completions/_orgctl',
    fish: 'usr/share/fish/vendor_completions.d/orgctl.fish',
  };
  for (const [shell, path] of Object.entries(places))
    install(path, execFileSync(executable, ['completion', shell]));
}

function documentation(): void {
  const place = 'usr/share/doc/orgctl';
  for (const page of manPages())
    install(`usr/share/man/man1/${page.name}.gz`, compressed(readFileSync(page.path)));
  install(`${place}/changelog.Debian.gz`, compressed(Buffer.from(changelogEntry())));
  install('usr/share/lintian/overrides/orgctl', readFileSync(join(import.meta.dirname, 'lintian-overrides')));
  install(`${place}/changelog.gz`, compressed(readFileSync(join(root, 'CHANGELOG.md'))));
  install(
    `${place}/copyright`,
    licences()
      .map(({ path }) => readFileSync(path, 'utf8').trimEnd())
      .join(`\n\n${'='.repeat(80)}\n\n`)
      .concat('\n'),
  );
  cpSync(join(root, 'docs'), join(tree, place), { recursive: true });
  install(`${place}/README.md`, readFileSync(join(root, 'README.md')));
}

/** The packaging has no changes of its own, so this refers to the changelog of orgctl. */
function changelogEntry(): string {
  const date = new Date(sourceDate() * 1000);
  return `orgctl (${version}) stable; urgency=medium

  * See changelog.gz for the changes.

 -- ${manifest.maintainer}  ${date.toUTCString().replace('GMT', '+0000')}
`;
}

/** Omits the time of the build, so that the same files give the same package. */
function compressed(content: Buffer): Buffer {
  return gzipSync(content, { level: 9 });
}

function unit(): void {
  install('usr/lib/systemd/system/orgctl.service', readFileSync(join(import.meta.dirname, 'orgctl.service')));
}

function control(): void {
  for (const script of ['postinst', 'prerm', 'postrm']) {
    install(`DEBIAN/${script}`, readFileSync(join(import.meta.dirname, script)), 0o755);
  }
  const kibibytes = Number(
    execFileSync('du', ['-sk', '--apparent-size', '--exclude=DEBIAN', tree]).toString().split('\t')[0],
  );
  install('DEBIAN/control', controlText(kibibytes));
  const files = filesBelow(tree).filter((path) => !path.startsWith('DEBIAN/'));
  install('DEBIAN/md5sums', execFileSync('md5sum', files, { cwd: tree }));
}

function filesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return entries.filter((path) => statSync(join(directory, path)).isFile()).sort();
}

/** `Depends` has the libraries to which the executable's Node.js is linked. */
function controlText(kibibytes: number): string {
  return `Package: orgctl
Version: ${version}
Architecture: ${debianArchitecture}
Maintainer: ${manifest.maintainer}
Section: admin
Priority: optional
Homepage: ${manifest.homepage}
Installed-Size: ${kibibytes}
Depends: adduser, libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 5)
Suggests: gnome-keyring
Description: administer an organization over the Organization Resource API
 Lists, creates and changes API keys, database connections and teams, and shows
 quotas, for people and for scripts. Every request carries a credential.
 .
 "orgctl serve" runs the whole service, to develop and test clients. It
 applies the same rules and returns the same errors. The package has a
 systemd unit for it, which is not started automatically.
`;
}
