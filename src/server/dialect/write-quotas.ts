import type { Dialect } from '../../api/dialect/dialect.js';
import type { Quota, QuotaRecord } from '../../api/quota.js';
import { quotaEnvelope } from '../routes/quotas.js';

export function quotaWriter({ form, counts }: Dialect['quotas']): (record: QuotaRecord) => unknown {
  const write = (record: QuotaRecord) => (counts === 'text' ? mapQuotas(record, writeText) : record);
  switch (form) {
    case 'data':
      return (record) => quotaEnvelope(write(record));
    case 'bare':
      return write;
    case 'quotas':
      return (record) => ({ quotas: write(record) });
    case 'list':
      return (record) => Object.entries(write(record)).map(([kind, quota]) => ({ kind, ...quota }));
  }
}

function mapQuotas(record: QuotaRecord, write: (quota: Quota) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(record).map(([kind, quota]) => [kind, write(quota)]));
}

function writeText(quota: Quota): object {
  return Object.fromEntries(Object.entries(quota).map(([name, value]) => [name, String(value)]));
}
