import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { contextTag, type DerValue, derObjectId, derSequence, encodeDer, readDer, readDerAt } from './der.js';
import { certificateExtension, generalNames, toAddressBytes } from './write-certificate.js';

/** A name, or a network as address and mask. */
export type PermittedName = Pick<DerValue, 'tag' | 'content'>;

const nameConstraintsId = '2.5.29.30';

const loopback: readonly PermittedName[] = [
  { tag: generalNames.dns, content: Buffer.from('localhost') },
  { tag: generalNames.address, content: Buffer.from([127, 0, 0, 0, 255, 0, 0, 0]) },
  toPermittedName('::1'),
];

/** RFC 5280, section 4.2.1.10. Lists both names and addresses: a type that is not listed would be unconstrained. */
export function nameConstraints(permitted: readonly PermittedName[]): Buffer {
  const subtrees = permitted.map(({ tag, content }) => derSequence(encodeDer(tag, content)));
  const value = derSequence(encodeDer(contextTag.around(0), ...subtrees));
  return certificateExtension(nameConstraintsId, value, { isCritical: true });
}

export function permittedFor(
  hosts: readonly string[],
  before: readonly PermittedName[] = [],
): PermittedName[] {
  const permitted = [...loopback];
  for (const name of [...before, ...hosts.map(toPermittedName)]) {
    if (!isWithin(name, permitted)) permitted.push(name);
  }
  return permitted;
}

/** Reads what an authority permits; `undefined` if it is unconstrained. */
export function permittedBy(authority: string): PermittedName[] | undefined {
  const fields = readDer(readDerAt(new X509Certificate(authority).raw, [0, 0]).content);
  const extensions = fields.find(({ tag }) => tag === contextTag.around(3))?.content;
  const id = derObjectId(nameConstraintsId);
  const found = readDer(extensions === undefined ? Buffer.alloc(0) : readDerAt(extensions, [0]).content)
    .map(({ content }) => readDer(content))
    .find(([extensionId]) => extensionId?.whole.equals(id));
  const value = found?.at(-1)?.content;
  if (value === undefined) return undefined;
  const subtrees = readDer(readDerAt(value, [0]).content).find(({ tag }) => tag === contextTag.around(0));
  return readDer(subtrees?.content ?? Buffer.alloc(0)).map(({ content }) => readDerAt(content, [0]));
}

export function permitsAll(permitted: readonly PermittedName[], hosts: readonly string[]): boolean {
  return hosts.every((host) => isWithin(toPermittedName(host), permitted));
}

function toPermittedName(host: string): PermittedName {
  if (isIP(host) === 0) return { tag: generalNames.dns, content: Buffer.from(host.toLowerCase()) };
  const address = toAddressBytes(host);
  return {
    tag: generalNames.address,
    content: Buffer.concat([address, Buffer.alloc(address.length, 0xff)]),
  };
}

function isWithin({ tag, content }: PermittedName, permitted: readonly PermittedName[]): boolean {
  if (tag === generalNames.address && content.length === 8 && content[0] === 127) return true;
  const others = permitted.filter((other) => other.tag === tag).map((other) => other.content);
  if (others.some((other) => other.equals(content))) return true;
  return tag === generalNames.dns && others.some((other) => content.toString().endsWith(`.${other}`));
}
