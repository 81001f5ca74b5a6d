import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest } from './manifest.js';

interface Archive {
  readonly file: string;
  /** Such as `linux-x64`. */
  readonly platform: string;
  readonly sha256: string;
}

/**
 * Writes files about the archives in a directory: `SHA256SUMS`, `orgctl.rb` for brew, and `orgctl.json` for scoop if
 * there is an archive for Windows.
 */
export function writeManifests(directory: string): void {
  const archives = archivesIn(directory);
  const sums = archives.map(({ file, sha256 }) => `${sha256}  ${file}\n`);
  writeFileSync(join(directory, 'SHA256SUMS'), sums.join(''));
  writeFileSync(join(directory, 'orgctl.rb'), formula(archives));
  const windows = archives.find(({ platform }) => platform === 'win-x64');
  if (windows !== undefined) writeFileSync(join(directory, 'orgctl.json'), scoopManifest(windows));
}

function archivesIn(directory: string): Archive[] {
  const name = new RegExp(
    `^${manifest.name}-${manifest.version.replaceAll('.', '\\.')}-(.+?)\\.(?:tar\\.gz|zip)$`,
  );
  return readdirSync(directory)
    .sort()
    .flatMap((file) => {
      const platform = name.exec(file)?.[1];
      if (platform === undefined) return [];
      const sha256 = createHash('sha256')
        .update(readFileSync(join(directory, file)))
        .digest('hex');
      return [{ file, platform, sha256 }];
    });
}

function urlOf(file: string): string {
  return `${manifest.homepage}/releases/download/v${manifest.version}/${file}`;
}

// https://docs.brew.sh/Formula-Cookbook
function formula(archives: readonly Archive[]): string {
  const systems = { darwin: 'macos', linux: 'linux' };
  const processors = { arm64: 'arm', x64: 'intel' };
  const blocks = Object.entries(systems).flatMap(([system, onSystem]) => {
    const inner = Object.entries(processors).flatMap(([arch, onArch]) => {
      const archive = archives.find(({ platform }) => platform === `${system}-${arch}`);
      if (archive === undefined) return [];
      const { file, sha256 } = archive;
      return [`    on_${onArch} do\n      url "${urlOf(file)}"\n      sha256 "${sha256}"\n    end\n`];
    });
    return inner.length === 0 ? [] : [`\n  on_${onSystem} do\n${inner.join('')}  end\n`];
  });
  return `class Orgctl < Formula
  desc "Administer an organization over the Organization Resource API"
  homepage "${manifest.homepage}"
  version "${manifest.version}"
  license "${manifest.license}"
${blocks.join('')}
  def install
    bin.install "orgctl"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"orgctl", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/orgctl --version")
    system bin/"orgctl", "serve", "--", bin/"orgctl", "quotas"
  end
end
`;
}

// https://github.com/ScoopInstaller/Scoop/wiki/App-Manifests
function scoopManifest({ file, sha256 }: Archive): string {
  const content = {
    version: manifest.version,
    description: manifest.description,
    homepage: manifest.homepage,
    license: manifest.license,
    architecture: { '64bit': { url: urlOf(file), hash: sha256, extract_dir: file.replace(/\.zip$/, '') } },
    bin: 'orgctl.exe',
  };
  return `${JSON.stringify(content, null, 4)}\n`;
}
