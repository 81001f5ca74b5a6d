import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readQuotas } from '../../src/api/operations.js';
import { errorMessage } from '../../src/api/refusal-message.js';
import { resources } from '../../src/api/resources/index.js';
import type { errorAnswers } from '../../src/api-description/answers.js';
import { apiDocument } from '../../src/api-description/document.js';
import { resourceRoutes } from '../../src/server/routes/calls.js';
import { identifierPattern } from '../../src/server/routes/resources.js';
import { at } from '../server/support/caller.js';
import {
  bodySchemaOf,
  describedAnswer,
  describedCalls,
  document,
  exampleErrors,
  misfit,
} from '../support/api-description.js';
import { runCli } from '../support/run-cli.js';

const described = apiDocument();

function call(id: string) {
  const found = describedCalls.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`no call ${id}`);
  return found;
}

function messagesIn({ content }: ReturnType<typeof errorAnswers>[string]): unknown[] {
  const { examples } = content['application/json'];
  return Object.values(examples).map((example) => [at(example, 'value.message'), at(example, 'x-source')]);
}

describe('the document', () => {
  it('has every route of the server, and the server every call of the document', () => {
    const calls = describedCalls.map(({ method, path }) => `${method} ${path}`);
    const routes = [readQuotas, ...resourceRoutes(resources)].map(({ method, path }) => `${method} ${path}`);
    expect(routes.sort()).toEqual(calls.sort());
  });

  it('has examples that are what they are to show', () => {
    for (const [name, schema] of Object.entries(described.components.schemas)) {
      const { examples } = schema as { examples?: unknown[] };
      expect(examples, name).toBeDefined();
      const misfits = examples?.map((example) => misfit(schema, example, { closed: true }));
      expect({ name, misfits: misfits?.filter(Boolean) }).toEqual({ name, misfits: [] });
    }
  });

  it('has every message of the reference, at its status', () => {
    const statusOf = new Map(
      Object.values(document.components.responses)
        .flatMap(exampleErrors)
        .map(({ statusCode, message }) => [message, statusCode]),
    );
    const { multipleCredentials, keyDisabled, tooManyRequests, ...unauthenticated } = errorMessage;
    expect(Object.values(unauthenticated).map((message) => statusOf.get(message))).toEqual(
      Object.values(unauthenticated).map(() => 401),
    );
    expect(
      [multipleCredentials, keyDisabled, tooManyRequests].map((message) => statusOf.get(message)),
    ).toEqual([400, 403, 429]);
  });

  it.each([
    ['a field that is misspelt', { hsot: 'db' }],
    ['a port that is none', { port: 65_536 }],
    ['a port as text', { port: '5432' }],
    ['a host that is empty', { host: '' }],
    ['ssl as text', { ssl: 'yes' }],
  ])('refuses a PostgreSQL connection with %s, which would pass as one of another type', (_what, change) => {
    const schema = bodySchemaOf(call('connections.create'));
    const whole = { host: 'db', port: 5432, database: 'd', user: 'u', password: 'p', ssl: true };
    const config = 'hsot' in change ? { ...change, port: 5432 } : { ...whole, ...change };
    for (const type of ['pg', 'postgresql']) {
      expect(misfit(schema, { name: 'a', type, config: whole })).toBeUndefined();
      expect(misfit(schema, { name: 'a', type, config })).toBeDefined();
    }
    expect(misfit(schema, { name: 'a', type: 'mysql', config })).toBeUndefined();
  });

  it('takes in a path what the service takes for an ID', () => {
    const [id] = call('teams.get').parameters;
    for (const text of ['team_1-A', 'a'.repeat(255), 'a'.repeat(256), 'a.b', ''])
      expect([text, misfit(id?.schema, text) === undefined]).toEqual([text, identifierPattern.test(text)]);
  });

  it('promises the headers of a quota where there is one, and of the rate limit', () => {
    const quota = ['X-Quota-Limit', 'X-Quota-Used', 'X-Quota-Remaining'];
    const ofCreation = describedAnswer(call('teams.create'), 201)?.headers ?? {};
    expect(Object.entries(ofCreation).map(([name, { required }]) => [name, required])).toEqual(
      quota.map((name) => [name, true]),
    );
    expect(describedAnswer(call('quotas.read'), 200)?.headers).toBeUndefined();
    expect(describedAnswer(call('quotas.read'), 429)?.headers).toMatchObject({
      'Retry-After': { required: true },
    });
    // Never where a change may have been made.
    expect(describedAnswer(call('teams.create'), 503)?.headers).toMatchObject({
      'Retry-After': { required: false },
    });
    expect(Object.keys(describedAnswer(call('teams.create'), 429)?.headers ?? {})).toEqual([
      ...quota,
      'Retry-After',
    ]);
  });

  it('tells what is of the reference and what is ours: calls, parameters, bodies, answers, fields, bounds and messages', () => {
    const { paths, components } = described;
    expect(paths['/connections']?.['post']).toMatchObject({
      'x-source': 'ref',
      requestBody: { 'x-source': 'ref' },
      responses: { 201: { 'x-source': 'ours' } },
    });
    expect(paths['/api-keys']?.['post']).toMatchObject({ requestBody: { 'x-source': 'ours' } });
    const boundsOfLimit = { default: 'ours', minimum: 'ours', maximum: 'ours' };
    expect(paths['/connections']?.['get']?.parameters).toMatchObject([
      { name: 'limit', 'x-source': 'ref', schema: { default: 20, 'x-source-of': boundsOfLimit } },
      { name: 'page', 'x-source': 'ours' },
    ]);
    expect(paths['/teams']?.['get']?.parameters[0]).toMatchObject({ name: 'limit', 'x-source': 'ours' });
    expect(components.responses).toMatchObject({
      Forbidden: { content: { 'application/json': { 'x-source': 'ref' } } },
      NotFound: { content: { 'application/json': { 'x-source': 'ours' } } },
    });
    expect(components.schemas).toMatchObject({
      ApiKey: { properties: { id: { 'x-source': 'ref' }, name: { 'x-source': 'ours' } } },
      CreatedApiKey: { properties: { secret: { 'x-source': 'ours', 'x-source-of': { minLength: 'ref' } } } },
      Team: { properties: { name: { 'x-source': 'ours' } } },
    });
    const messages = Object.values(components.responses).flatMap((answer) => messagesIn(answer));
    expect(messages).toContainEqual(['Multiple credentials provided', 'ref']);
    expect(messages).toContainEqual(['Malformed JSON', 'ours']);
  });

  it('has signatures to compare with, which others compute alike', () => {
    const { hmacSignature, basic } = described.components.securitySchemes;
    const vectors = Reflect.get(hmacSignature ?? {}, 'x-test-vectors');
    expect(vectors).toHaveLength(2);
    for (const { secret, canonicalString, headers } of vectors) {
      const signature = createHmac('sha256', secret).update(canonicalString).digest('hex');
      expect(headers['X-API-Signature']).toBe(signature);
    }
    expect(basic).toMatchObject({ type: 'http', scheme: 'basic' });
    const names = Object.keys(described.components.securitySchemes);
    expect(described.security.flatMap((way) => Object.keys(way)).sort()).toEqual(names.sort());
  });

  it('asks for one way to authenticate of two, and for every body', () => {
    expect(described.security.map((way) => Object.keys(way))).toEqual([
      ['hmacKey', 'hmacTimestamp', 'hmacSignature'],
      ['basic'],
    ]);
    const bodies = Object.values(described.paths)
      .flatMap((path) => Object.values(path))
      .map(({ requestBody }) => requestBody)
      .filter((body) => body !== undefined);
    expect(bodies).not.toEqual([]);
    expect(bodies.filter(({ required }) => required !== true)).toEqual([]);
  });
});

describe('orgctl openapi', () => {
  it('prints it, as JSON or YAML, and answers a query, without any service', async () => {
    const json = await runCli(['openapi']);
    expect(json).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual(JSON.parse(JSON.stringify(described)));
    expect((await runCli(['openapi', '-o', 'json'])).stdout).toBe(json.stdout);
    expect((await runCli(['openapi', '-o', 'yaml'])).stdout).toMatch(/^openapi: 3\.1\.1\ninfo:\n/);
    const asked = await runCli(['openapi', '--query', 'paths."/teams".post.operationId', '-r']);
    expect(asked.stdout).toBe('teams.create\n');
  });
});
