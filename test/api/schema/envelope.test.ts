import { describe, expect, it } from 'vitest';
import { quotaEnvelopeSchema } from '../../../src/api/quota.js';
import { envelope, envelopeSchema } from '../../../src/api/schema/envelope.js';
import { z } from '../../../src/api/schema/schema.js';

describe('envelope', () => {
  it.each([
    [0, 1],
    [20, 1],
    [21, 2],
  ])('%i items of 20 a page are %i pages', (total, pages) => {
    const at = { total, page: 1, limit: 20 };
    expect(envelope([], at)).toEqual({ data: [], ...at, pages });
  });
});

describe('envelopeSchema', () => {
  const schema = envelopeSchema(z.string());
  const body = { data: ['a'], total: 1, page: 1, limit: 20, pages: 1 };

  it('demands its fields, and passes on those that the service adds', () => {
    const more = { ...body, next: '/teams?page=2' };
    expect(z.parse(schema, more)).toEqual(more);
    for (const field of Object.keys(body)) {
      expect(z.safeParse(schema, { ...body, [field]: undefined }).success, field).toBe(false);
    }
  });

  it.each([
    ['a page that is text', { page: '1' }],
    ['a total with a fraction', { total: 1.5 }],
    ['data that is no list', { data: { a: 1 } }],
    ['an item of another shape', { data: [1] }],
  ])('refuses %s', (_case, part) => {
    expect(z.safeParse(schema, { ...body, ...part }).success).toBe(false);
  });
});

describe('quotaEnvelopeSchema', () => {
  const around = { total: 1, page: 1, limit: 20, pages: 1 };

  it('reads the record of section 4, and what the service adds to it', () => {
    const body = {
      data: [
        {
          'api-keys': { limit: 20, used: 3, remaining: 17 },
          'web-hooks': { limit: 0, used: 2, remaining: -2, since: 'yesterday' },
        },
      ],
      ...around,
    };
    expect(z.parse(quotaEnvelopeSchema, body)).toEqual(body);
  });

  it.each([
    ['a figure that is text', { limit: '20', used: 3, remaining: 17 }],
    ['a figure that is missing', { limit: 20, used: 3 }],
    ['no figures', null],
  ])('refuses %s', (_case, teams) => {
    expect(z.safeParse(quotaEnvelopeSchema, { data: [{ teams }], ...around }).success).toBe(false);
  });
});
