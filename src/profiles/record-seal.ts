import { createHmac, hkdfSync } from 'node:crypto';
import { isResource, type Resource } from '../api/resources/resource.js';
import { equalInConstantTime } from '../signing/basic/basic.js';
import { isDeeperThan, printJson } from '../text/exact-json.js';
import type { ResolvedSettings } from './resolve.js';

/** Service and key that seal a record of work in progress. Only the same service and key may continue the work. */
export interface RecordSigner {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
}

export interface Seal {
  readonly version: typeof recordVersion;
  readonly baseUrl: string;
  readonly keyId: string;
  readonly mac: string;
}

const recordVersion = 1;

/** Text for deriving the sealing key, so that a seal is never the signature of a request. */
const keyPurpose = 'orgctl record of a creation';

/** Maximum nesting of a record, which may contain a response. */
const maxLevels = 32;
const maxShown = 100;

export async function recordSigner(settings: Pick<ResolvedSettings, 'service'>): Promise<RecordSigner> {
  const { baseUrl, credential } = await settings.service();
  return { baseUrl: baseUrl.href, ...credential };
}

/** @param place where the record is stored; the seal is valid only there */
export function seal<Fields extends object>(
  fields: Fields,
  place: string,
  signer: RecordSigner,
): Fields & Seal {
  const { baseUrl, keyId } = signer;
  const record = { ...fields, version: recordVersion, baseUrl, keyId } as const;
  return { ...record, mac: computeMac(record, place, signer) };
}

export type RecordMaker = Pick<RecordSigner, 'baseUrl' | 'keyId'>;

/** The maker that an unchecked record names; `undefined` if that is the signer, or missing. */
export function readOtherMaker(record: unknown, signer: RecordMaker): RecordMaker | undefined {
  if (!isResource(record)) return undefined;
  const { version, baseUrl, keyId } = record;
  if (version !== recordVersion || typeof baseUrl !== 'string' || typeof keyId !== 'string') return undefined;
  return baseUrl === signer.baseUrl && keyId === signer.keyId ? undefined : { baseUrl, keyId };
}

export function whyNotSealed(record: unknown, place: string, signer: RecordSigner): string | undefined {
  if (!isResource(record) || isDeeperThan(maxLevels, record)) return 'is not an orgctl record';
  const { version, baseUrl, keyId, mac } = record;
  if (version !== recordVersion) return 'was written by another version of orgctl';
  if (baseUrl !== signer.baseUrl) return `is for ${readShown(baseUrl)}, not for ${signer.baseUrl}`;
  if (keyId !== signer.keyId) return `is for the key ${readShown(keyId)}, not for ${signer.keyId}`;
  const isOurs = typeof mac === 'string' && equalInConstantTime(mac, computeMac(record, place, signer));
  return isOurs ? undefined : `was not written here with the secret of ${signer.keyId}`;
}

function computeMac(record: Resource, place: string, { secret }: RecordSigner): string {
  const { mac: _, ...unsealed } = record;
  const key = Buffer.from(hkdfSync('sha256', secret, '', keyPurpose, 32));
  return createHmac('sha256', key)
    .update(printJson([place, sortFields(unsealed)]))
    .digest('hex');
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (!isResource(value)) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sortFields(field)]));
}

/** Quotes and cuts an untrusted value. */
export function readShown(value: unknown): string {
  return JSON.stringify(String(value).slice(0, maxShown));
}
