import { expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { failureOf, openClient } from './support/open-client.js';

it.each<[unknown, unknown]>([
  [{ errors: [{ field: 'name', message: 'is too long' }, 'and more'] }, 'name: is too long; and more'],
  [{ message: 'Bad', errors: [{ path: 'name', message: 'is too long' }] }, 'Bad: name: is too long'],
  [{ constructor: 'x' }, expect.stringContaining('the service returned 409: {"constructor"')],
])('a refusal says what %j says', async (body, message) => {
  const service = await foreignService({ create: () => ({ status: 409, body }) });
  const failure = await failureOf(openClient(service).api.teams.create({ name: 'a' }));
  expect(failure).toMatchObject({ code: 'rejected', message });
});

const secret = `${'Zq7'.repeat(21)}x`;
const key = { id: 'key_new', name: 'ci' };

it.each(
  Object.entries({
    'the reference’s names': { ...key, secret },
    secret_key: { ...key, secret_key: secret },
    'api_secret, in data': { data: { ...key, api_secret: secret } },
    'token, in key': { key: { ...key, token: secret } },
    'a short secret under a known name': { ...key, clientSecret: 'short' },
    'the secret beside the key': { api_key: key, secret },
    'a number beside the ID that signs': { id: 5, key_id: 'key_new', name: 'ci', secret },
    'the ID that signs in key': { data: { key: 'key_new', name: 'ci', secret } },
    'a digest beside the secret': { ...key, secret, fingerprint: 'f'.repeat(64) },
    'an unknown name of 64 characters': { ...key, once: secret, sha256: 'f'.repeat(64) },
    'only the end of it in secret': { ...key, secret: '****1234', plaintext: secret },
    'a mask of a known name, the secret under an unknown one': {
      ...key,
      secret: 'Zq7Z…',
      once_shown: secret,
    },
  }),
)('a new key as %s has its ID and its secret', async (_name, body) => {
  const { api } = openClient(await foreignService({ create: () => ({ status: 201, body }) }));
  const expected = JSON.stringify(body).includes('short') ? 'short' : secret;
  expect(await api.apiKeys.create({ name: 'ci' })).toMatchObject({ id: 'key_new', secret: expected });
});

it.each(['****14da', '5ec3bc...', '********', 'xxxxxxxxxxxx', '[REDACTED]'])(
  'a mask is no secret: %s',
  async (masked) => {
    const answer = { status: 201, body: { ...key, secret: masked, other: 'short' } };
    const { api } = openClient(await foreignService({ create: () => answer }));
    const failure = await api.apiKeys.create({ name: 'ci' }).catch((error: unknown) => error);
    const message = expect.stringContaining('and a secret that is not masked (');
    expect(failure).toMatchObject({ code: 'server', message, answer: { body: expect.anything() } });
  },
);
