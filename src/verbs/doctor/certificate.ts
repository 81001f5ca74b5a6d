import type { X509Certificate } from 'node:crypto';
import type { Handshake } from './reach.js';

/** Doctor warns if fewer days are left. */
const shortRest = 14;
const dayInMilliseconds = 24 * 60 * 60 * 1000;

const otherFaults = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID']);

export function isGoodOtherwise(refusal: string): boolean {
  return !otherFaults.has(refusal);
}

export function describeRefused({ refusal, certificate }: Handshake, now: number): string {
  if (certificate === undefined) return '';
  if (refusal === 'CERT_HAS_EXPIRED' || refusal === 'CERT_NOT_YET_VALID') {
    const { validFrom, validTo } = certificate;
    return `it is valid from ${isoDay(validFrom)} to ${isoDay(validTo)}, but this machine's clock says ${isoDay(now)}`;
  }
  if (refusal === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `it is for ${certificate.subjectAltName ?? toNameLine(certificate.subject)}`;
  }
  return describeIssuer(certificate);
}

export function describeIssuer({ subject, issuer }: X509Certificate): string {
  return `${toNameLine(subject)}, issued by ${toNameLine(issuer)}`;
}

/** Whole days until expiry, if fewer than `shortRest`. */
export function fewDaysLeft({ validTo }: X509Certificate, now: number): number | undefined {
  const days = Math.floor((Date.parse(validTo) - now) / dayInMilliseconds);
  return days < shortRest ? days : undefined;
}

function isoDay(moment: string | number): string {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? String(moment) : date.toISOString().slice(0, 10);
}

function toNameLine(name: string): string {
  return name === '' ? 'a nameless subject' : name.split('\n').join(', ');
}
