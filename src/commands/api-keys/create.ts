import type { Command } from '@commander-js/extra-typings';
import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { notInReference, withExamples } from '../../cli/help-text.js';
import type { Api } from '../../client/api.js';
import { ServiceError, UsageError, withHint } from '../../errors/errors.js';
import { collect, parseDataObject, parseFields, readData } from '../../input/body.js';
import type { PendingCreation } from '../../profiles/file/profile-file.js';
import { isKeyId } from '../../redaction/harmless.js';
import type { View } from '../../terminal/output/printer.js';
import { printJson } from '../../text/exact-json.js';
import {
  beginCreation,
  certainlyNotDone,
  mayExistHint,
  noteIgnored,
  type OrphanRule,
} from '../../verbs/api-keys/interrupted-creation.js';
import { existedBefore } from '../../verbs/api-keys/orphans.js';
import { type CreatedKey, openSink, type SecretSink } from '../../verbs/api-keys/secret-sink.js';
import { keepUnread, type RescueContext, showUnread, whyLost } from '../../verbs/once-shown.js';
import { type AnswerContext, apiForChange, printAnswer } from '../../verbs/print-answer.js';
import { apiKeyView } from './api-key.js';

/** For the answer to a creation, the only one with the secret. */
export const createdApiKeyView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'SECRET', value: 'secret' },
  ],
  block: true,
  fields: ['enabled', 'last_used_at', 'created_at'],
  example: { id: 'key_0', name: 'example', secret: 'example' },
};

interface CreateOptions {
  readonly name?: string | undefined;
  readonly field?: readonly string[] | undefined;
  readonly data?: string | undefined;
  readonly saveProfile?: string | undefined;
  readonly secretFile?: string | undefined;
}

/** `orgctl api-keys create`: `POST /api-keys` (reference, section 4). */
export function create(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        `Create an API key. The secret is in this one answer and never shown again; the body's fields are ${notInReference.slice(1, -1)}.`,
      )
      .option('--name <name>', `name of the key ${notInReference}`)
      .option('--field <k=v>', 'further field of the body; k:=v for JSON; repeatable', collect)
      .option('-d, --data <json>', 'the whole body: JSON, @file, or - for stdin')
      .option('--save-profile <name>', 'keep ID and secret as a new profile instead of printing the secret')
      .option('--secret-file <path>', 'write the secret to a new file (0600) instead of printing it'),
    [
      ['orgctl api-keys create --name ci', 'the secret is shown once'],
      ['orgctl api-keys create --name ci --save-profile ci', 'straight into a profile'],
    ],
    {
      calls: 'service',
      writes: ['service', 'profiles', 'files'],
      asks: 'with --secret-file, before it deletes a key that an interrupted run made; without a terminal it only names it',
      exits: ['quota_exceeded'],
    },
  ).action((options) => createApiKey(options, context));
}

async function createApiKey(
  options: CreateOptions,
  context: AnswerContext & Pick<Context, 'api' | 'stdin' | 'settings' | 'prompt' | 'note' | 'progress'>,
): Promise<void> {
  const body = await bodyOf(options, context);
  const sink = openSink(options, context);
  const view = sink === undefined ? createdApiKeyView : apiKeyView;
  const api = await apiForChange(view, 'value', context);
  if (sink !== undefined) return createInto(sink, body, api, context);
  const created = await api.apiKeys.create(body).catch(async (error: unknown) => {
    throw await showUnread(error, context);
  });
  await printCreated(created, context);
  await noteEnabled(body, created, context);
  await context.note('this secret is not shown again: keep it now');
}

/** A key that should have been created disabled is already usable. */
async function noteEnabled(
  body: Readonly<Record<string, unknown>>,
  created: CreatedKey,
  context: Pick<Context, 'note'>,
): Promise<void> {
  if (body['enabled'] !== false || created['enabled'] !== true) return;
  await context.note(
    `the key is enabled, although it should have been disabled: orgctl api-keys disable ${created.id}`,
  );
}

/** Creates a key whose secret goes to a sink, which can take it before the key exists. */
async function createInto(
  sink: SecretSink,
  body: Readonly<Record<string, unknown>>,
  api: Api,
  context: AnswerContext & Pick<Context, 'note' | 'progress'>,
): Promise<void> {
  const left = await sink.open();
  await noteIgnored(sink, context);
  const created = left ?? (await createFor(sink, body, sink.rule, api, context)).key;
  const kept = await sink.keep(created).catch(async (error: unknown) => {
    // Better on the screen than lost: the service does not show it again.
    const isShown = await printCreated(created, context).then(
      () => whyLost(context) === undefined,
      () => false,
    );
    await sink.abandon().catch(() => undefined);
    const where = isShown ? 'is on stdout' : 'was kept as said above';
    throw withHint(error, `the key ${created.id} was created; its secret ${where}`);
  });
  const { secret: _kept, ...rest } = created;
  await printAnswer(rest, apiKeyView, context);
  await noteEnabled(body, created, context);
  await context.note(kept);
}

/**
 * Creates a key for an open sink, after dealing with what an interrupted run left by a rule; without one, it was.
 *
 * @throws what creating throws; the hint says what to do where the key may exist
 */
export async function createFor(
  sink: SecretSink,
  body: Readonly<Record<string, unknown>>,
  rule: OrphanRule | undefined,
  api: Pick<Api, 'apiKeys' | 'transport'>,
  context: RescueContext & Pick<Context, 'note' | 'progress'>,
): Promise<NewKey> {
  const { name } = body;
  const wanted = { name: typeof name === 'string' ? name : undefined };
  const creation = await beginCreation(sink, wanted, rule, api, context);
  const key = await createToStore(body, api, creation, sink.kept).catch(async (error: unknown) => {
    const kept = await keepUnread(error, context);
    if (kept !== undefined) {
      // The secret is elsewhere now: the next run must not take the key for one that nobody can use.
      await sink.abandon().catch(() => undefined);
      throw kept;
    }
    if (!certainlyNotDone(error)) throw withHint(error, mayExistHint(creation));
    await sink.abandon();
    throw error;
  });
  return { key, isNew: existedBefore(creation, key.id) === false };
}

/** The key that a request created. */
export interface NewKey {
  readonly key: CreatedKey;
  /** Whether it is known that it did not exist before. */
  readonly isNew: boolean;
}

/**
 * Creates a key that is to be stored under its ID.
 *
 * @param kept IDs of keys that are in use
 * @throws what creating throws; ServiceError `server`, with the answer, for an ID that no key can have, or that of a key
 * that existed before
 */
export async function createToStore(
  body: Readonly<Record<string, unknown>>,
  { apiKeys, transport }: Pick<Api, 'apiKeys' | 'transport'>,
  creation: PendingCreation,
  kept: ReadonlySet<string> = new Set(),
): Promise<CreatedKey> {
  const created = await apiKeys.create(body);
  const { id } = created;
  const isOld = id === transport.keyId || kept.has(id) || existedBefore(creation, id);
  if (isKeyId(id) && !isOld) return created;
  const what = isOld
    ? `the answer to a creation has the ID of a key that existed before: ${id}`
    : `the key was created, but its ID is none: ${JSON.stringify(id)}`;
  throw new ServiceError('server', what, {
    answer: { status: 201, headers: {}, body: Buffer.from(printJson(created)) },
  });
}

/** With the fields that the view does not know: the secret may be in one of them. */
function printCreated(created: CreatedKey, context: AnswerContext): Promise<void> {
  const { columns, fields = [] } = createdApiKeyView;
  const known = new Set([...columns.map(({ value }) => value), ...fields]);
  const others = Object.keys(created).filter((name) => !known.has(name));
  const further = others.map((name) => ({ header: name, value: name }));
  return printAnswer(created, { ...createdApiKeyView, columns: [...columns, ...further] }, context);
}

async function bodyOf(
  options: CreateOptions,
  context: Pick<Context, 'system' | 'stdin'>,
): Promise<Record<string, unknown>> {
  const fields = {
    ...(options.name === undefined ? {} : { name: options.name }),
    ...parseFields(options.field ?? []),
  };
  if (options.data === undefined) {
    if (Object.keys(fields).length > 0) return fields;
    throw new UsageError('nothing to create: give --name, --field or --data', {
      hint: 'orgctl api-keys create --name ci',
    });
  }
  return { ...parseDataObject(await readData(options.data, context)), ...fields };
}
