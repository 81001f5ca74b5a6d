/** One package's part of THIRD-PARTY-NOTICES.txt. */
export function notice({ name, version, license, licenseText, source }) {
  const text = licenseText ?? `The package contains no license text; it is published under ${license}.\n`;
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n${source}\n\n${text.trimEnd()}\n`;
}
