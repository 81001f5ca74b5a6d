/**
 * What a bundle contains, as an SBOM in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). It has no time and no serial
 * number, so that the same sources make the same file.
 *
 * @param {{ name: string, version: string, license: string }} product
 * @param {readonly { name: string, version: string, license: string, source?: string }[]} packages
 * @returns JSON text
 */
export function sbom(product, packages) {
  const sorted = packages.toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { ...component(product), type: 'application' } },
      components: sorted.map(component),
    },
    null,
    2,
  )}\n`;
}

function component({ name, version, license, source }) {
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
  const url = source?.replace(/^git\+/, '');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    // A single name, or what is made of several: `(MIT OR Apache-2.0)`.
    licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
    ...(url && { externalReferences: [{ type: 'distribution', url }] }),
  };
}
