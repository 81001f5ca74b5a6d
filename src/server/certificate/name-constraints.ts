import { isIP, isIPv4 } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
import * as x509 from '@peculiar/x509';

const loopback: readonly GeneralName[] = [
  new GeneralName({ dNSName: 'localhost' }),
  new GeneralName({ iPAddress: '127.0.0.0/8' }),
  new GeneralName({ iPAddress: '::1/128' }),
];

/** RFC 5280, section 4.2.1.10. Lists names and addresses: an unlisted type would be unconstrained. */
export function nameConstraints(permitted: readonly GeneralName[]): x509.Extension {
  const subtrees = permitted.map((base) => new GeneralSubtree({ base }));
  const constraints = new NameConstraints({ permittedSubtrees: new GeneralSubtrees(subtrees) });
  return new x509.Extension(id_ce_nameConstraints, true, AsnConvert.serialize(constraints));
}

export function permittedFor(hosts: readonly string[], before: readonly GeneralName[] = []): GeneralName[] {
  const permitted = [...loopback];
  for (const name of [...before, ...hosts.map(toGeneralName)]) {
    if (!isWithin(name, permitted)) permitted.push(name);
  }
  return permitted;
}

/** `undefined` for an unconstrained authority. */
export function permittedBy(authority: string): GeneralName[] | undefined {
  const extension = new x509.X509Certificate(authority).getExtension(id_ce_nameConstraints);
  if (extension === null) return undefined;
  const { permittedSubtrees = [] } = AsnConvert.parse(extension.value, NameConstraints);
  return [...permittedSubtrees].map(({ base }) => base);
}

export function permitsAll(permitted: readonly GeneralName[], hosts: readonly string[]): boolean {
  return hosts.every((host) => isWithin(toGeneralName(host), permitted));
}

/** An address is a network of one. */
function toGeneralName(host: string): GeneralName {
  if (isIP(host) === 0) return new GeneralName({ dNSName: host.toLowerCase() });
  const name = new GeneralName({ iPAddress: `${host}/${isIPv4(host) ? 32 : 128}` });
  // Parsed and printed again, an IPv6 address has its canonical spelling.
  return AsnConvert.parse(AsnConvert.serialize(name), GeneralName);
}

function isWithin({ dNSName, iPAddress }: GeneralName, permitted: readonly GeneralName[]): boolean {
  if (iPAddress !== undefined) {
    return iPAddress.startsWith('127.') || permitted.some((other) => other.iPAddress === iPAddress);
  }
  return permitted.some(
    (other) => dNSName === other.dNSName || dNSName?.endsWith(`.${other.dNSName}`) === true,
  );
}
