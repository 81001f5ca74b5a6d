import { readFileSync } from 'node:fs';

/**
 * An SBOM of a bundle, in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). Omits time and serial number, so that
 * the same sources give the same file.
 *
 * @param {{ name: string, version: string, license: string }} product
 * @param {readonly { name: string, version: string, license: string, source?: string }[]} packages
 * @param {readonly string[]} beside packages that are installed beside the bundle; their dependencies are included
 * @returns JSON text
 */
export function sbom(product, packages, beside = []) {
  const sorted = packages.toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
  const components = [...sorted.map((one) => toComponent(one)), ...installed(beside)];
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { ...toComponent(product), type: 'application' } },
      components,
      dependencies: connect(product, components),
    },
    null,
    2,
  )}\n`;
}

/** Dependencies from the lock file. The product depends on those in package.json, and on those that nothing else uses. */
export function connect(product, components) {
  const edges = new Map(components.map((component) => [component['bom-ref'], needs(component, components)]));
  const needed = new Set([...edges.values()].flat());
  const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  const roots = components.filter(({ 'bom-ref': ref, name }) => name in direct || !needed.has(ref));
  return [
    { ref: toComponent(product)['bom-ref'], dependsOn: roots.map((root) => root['bom-ref']) },
    ...[...edges].map(([ref, dependsOn]) => ({ ref, dependsOn })),
  ];
}

const manifest = readJson('../package.json');
const lock = readJson('../package-lock.json').packages;

function readJson(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

/** The bom-refs of the components on which a component depends. */
function needs({ name, version }, components) {
  const refs = new Map(components.map((component) => [`${component.name}@${component.version}`, component]));
  const found = Object.entries(lock)
    .filter(([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version)
    .flatMap(([path, entry]) =>
      dependencyNames(entry).map((wanted) => [wanted, lock[resolve(path, wanted)]?.version].join('@')),
    );
  return [...new Set(found)].flatMap((key) => refs.get(key)?.['bom-ref'] ?? []).sort();
}

function dependencyNames({ dependencies, optionalDependencies }) {
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** The path in the lock file at which Node.js finds a package that the package at `from` imports. */
function resolve(from, wanted) {
  const path = `${from}/node_modules/${wanted}`;
  if (path in lock || from === '') return path.replace(/^\//, '');
  return resolve(from.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ''), wanted);
}

/** Packages with all their dependencies, including those for other platforms. */
function installed(names) {
  const paths = new Set(names.map((name) => `node_modules/${name}`));
  for (const path of paths) {
    for (const wanted of dependencyNames(lock[path])) paths.add(resolve(path, wanted));
  }
  return [...paths].sort().map((path) => {
    const { version, license, optional } = lock[path];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return toComponent({ name, version, license }, optional ? 'optional' : 'required');
  });
}

function toComponent({ name, version, license, source }, scope) {
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
  const url = source?.replace(/^git\+/, '');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    ...(scope && { scope }),
    // A single license, or an expression such as `(MIT OR Apache-2.0)`.
    licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }],
    purl,
    ...(url && { externalReferences: [{ type: 'distribution', url }] }),
  };
}
