import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory, withProfileFile } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const data = temporaryDirectory();
const service = useService({ data, console: true });

/** Every command whose text a shell or a file takes as it is: the text, and the value with -o json. */
const commands: readonly (readonly [line: string, text: RegExp, value: unknown])[] = [
  [
    'profile env here',
    /^unset ORGCTL_.*\n(export ORGCTL_\w+='.*'\n)+$/,
    expect.objectContaining({ ORGCTL_AUTH: 'hmac' }),
  ],
  ['profile path', /^\/.*\/profiles\.json\n$/, expect.stringMatching(/profiles\.json$/)],
  [
    `local key --yes --data ${data}`,
    /^(ORGCTL_\w+=\S+\n){3}$/,
    expect.objectContaining({ ORGCTL_SECRET: expect.any(String) }),
  ],
  [`local wait --data ${data}`, /^http:\S+\n$/, expect.stringMatching(/^http:/)],
  [`local snapshot --data ${data}`, /^snapshot_\d+\n$/, expect.stringMatching(/^snapshot_\d+$/)],
  [`local console --data ${data}`, /^http:\S+\n$/, { console: expect.stringMatching(/^http:/) }],
  ['openapi', /^\{\n {2}"openapi": "3/, expect.objectContaining({ openapi: expect.any(String) })],
  ['sign GET /quotas --format json', /^\{\n {2}"/, expect.objectContaining({ headers: expect.anything() })],
];

/** Commands whose text has one form, whatever -o says. */
const fixed: readonly (readonly [line: string, text: RegExp])[] = [
  ['sign GET /quotas --format headers', /^X-API-/],
  ['sign GET /quotas --format curl', /^curl /],
  ['completion bash', /^# bash completion/],
];

const formats = ['json', 'csv'];

function run(line: string, { output, variable }: { readonly output?: string; readonly variable?: string }) {
  const { url: baseUrl, keyId, secret } = service.server;
  const here = { baseUrl, keyId, secret, auth: 'hmac', ...(output !== undefined && { output }) };
  const env = withProfileFile({ version: 1, current: 'here', profiles: { here } });
  return runCli(line.split(' '), {
    env: { ...env, ...(variable !== undefined && { ORGCTL_OUTPUT: variable }) },
  });
}

const texts = [...commands.map(([line, text]) => [line, text] as const), ...fixed];

describe.each(texts)('the text of %s', (line, text) => {
  it.each(formats)('is the same with %s as ORGCTL_OUTPUT or as default of a profile', async (format) => {
    const places = [
      await run(line, { variable: format }),
      await run(line, { output: format }),
      await run(`${line} -p here`, { output: format }),
    ];
    for (const ended of places) {
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(text) });
    }
  });
});

it.each(commands)('-o json prints the data of %s', async (line, _text, value) => {
  const { stdout } = await run(`${line} -o json`, { variable: 'csv', output: 'yaml' });
  expect(JSON.parse(stdout)).toEqual(value);
});
