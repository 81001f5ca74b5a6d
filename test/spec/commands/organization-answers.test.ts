import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { httpAnswer } from '../../support/hostile-peer.js';
import { apply, organization } from '../../support/organization.js';
import { temporaryDirectory } from '../../support/run-cli.js';
import { quotaAnswer, scriptedService } from '../support/scripted-service.js';

it('apply stores the secret of a key that is only accepted (202), and its outcome is unknown', async () => {
  const { env } = await scriptedService({
    'GET /api-keys': () => httpAnswer(200, [{ id: 'key_test', name: 'signs' }]),
    'GET /quotas': () => quotaAnswer(10),
    'POST /api-keys': () => httpAnswer(202, { id: 'key_new', name: 'ci', secret: 's'.repeat(64) }),
  });
  const path = join(temporaryDirectory(), 'ci.secret');
  const file = organization({ 'api-keys': [{ name: 'ci', secret_to: { file: path } }] });
  const { ended, rows } = await apply(file, env);
  expect([ended.code, readFileSync(path, 'utf8').trim()]).toEqual([12, 's'.repeat(64)]);
  expect(rows).toMatchObject([{ name: 'ci', result: 'outcome unknown' }]);
});
