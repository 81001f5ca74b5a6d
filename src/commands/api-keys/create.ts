import { resolve } from 'node:path';
import { command, option, repeatable } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { doubtedCreation } from '../../client/answers/outcome.js';
import { toOperands } from '../../errors/advice.js';
import { ConfigError, UsageError, withHint } from '../../errors/errors.js';
import { joinFields, parseDataObject, parseFields, readData } from '../../input/body.js';
import { toSnakeCase } from '../../text/field-case.js';
import { warnOfNames } from '../resource/create.js';
import { adviseIfUnwritten, apiForChange, printAnswer, showAnswer } from '../resource/print.js';
import { askName } from '../resource/resource-command.js';
import { requireName } from '../resource/update.js';
import { type CreatedKey, createToShow, createToStore, withoutSecret } from './create-key.js';
import { fileSink, profileSink, type SecretSink } from './secret-sink.js';
import { apiKeyView, createdApiKeyView, saveSecretNote } from './view.js';

interface CreateOptions {
  readonly name?: string | undefined;
  readonly field?: readonly string[] | undefined;
  readonly data?: string | undefined;
  readonly saveProfile?: string | undefined;
  readonly secretFile?: string | undefined;
}

export const create = command({
  description:
    'Create an API key. Its secret is shown only once. The API reference does not describe the body, so your service may expect other fields.',
  options: [
    option('--name <name>', 'name of the key'),
    repeatable('--field <k=v>', 'another field of the body; k:=v for JSON; repeatable'),
    option('-d, --data <json>', 'fields of the body as a JSON object: text, @file, or - for stdin'),
    option('--save-profile <name>', 'save ID and secret as a new profile instead of printing the secret'),
    option('--secret-file <path>', 'write the secret to a new file (0600) instead of printing it'),
  ],
  examples: [
    ['orgctl api-keys create --name ci', 'prints ID and secret'],
    ['orgctl api-keys create --name ci --save-profile ci', 'straight into a profile'],
  ],
  calls: 'service',
  writes: ['service', 'profiles', 'files'],
  asks: 'for a name if no other field is given',
  exits: ['quota_exceeded'],
  run: (context, _args, options) => createApiKey(options, context),
});

async function createApiKey(options: CreateOptions, context: Context): Promise<void> {
  const body = await readBody(await withName(options, context), context);
  const sink = chooseSink(options, context);
  const api = await apiForChange(sink === undefined ? createdApiKeyView : apiKeyView, 'value', context);
  await sink?.check();
  const created = await (sink === undefined ? createToShow : createToStore)(body, api, context);
  const note = await (sink === undefined ? show(created, context) : store(created, sink, context));
  await noteEnabled(body, created, context);
  const sent = body['name'];
  if (typeof sent === 'string') await warnOfNames([{ sent, created }], context);
  if (note !== undefined) await context.note(note);
  // The service has only accepted the request (202).
  const doubt = doubtedCreation(created);
  if (doubt !== undefined) throw doubt;
}

function chooseSink({ saveProfile, secretFile }: CreateOptions, context: Context): SecretSink | undefined {
  if (saveProfile !== undefined && secretFile !== undefined) {
    throw new UsageError('--save-profile and --secret-file cannot be combined');
  }
  if (saveProfile !== undefined) return profileSink(saveProfile, context);
  return secretFile === undefined ? undefined : fileSink(resolve(context.system.cwd(), secretFile));
}

/** Prints a key with its secret. @returns the note that belongs to it, unless the secret was rescued */
async function show(created: CreatedKey, context: Context): Promise<string | undefined> {
  const advice = {
    hint: `API key ${created.id} was created; the warning above says where its secret is. To delete the key`,
    next: ['orgctl', 'api-keys', 'delete', ...toOperands(created.id)],
  };
  const isShown = await adviseIfUnwritten(printCreated(created, context), advice);
  return isShown ? saveSecretNote : undefined;
}

/** Stores a key's secret, then prints the rest. Prints all if the secret cannot be stored. @returns where the secret is */
async function store(created: CreatedKey, sink: SecretSink, context: Context): Promise<string> {
  const kept = await sink.keep(created).catch(async (error: unknown) => {
    const isShown = await printCreated(created, context).catch(() => false);
    const where = isShown ? 'its secret is on stdout' : 'the warning above says where its secret is';
    throw withHint(afterCreation(error), `the key ${created.id} was created; ${where}`);
  });
  const done = `API key ${created.id} was created; ${kept}`;
  const wholeHint = `${done}; the rest of the response is on stdout`;
  const printing = printAnswer(withoutSecret(created), apiKeyView, context, { isNew: true, wholeHint });
  await adviseIfUnwritten(printing, { hint: done });
  return kept;
}

/** A usage error would mean that nothing was sent. */
function afterCreation(error: unknown): unknown {
  if (!(error instanceof UsageError)) return error;
  return new ConfigError(error.message, { ...error.details, cause: error });
}

/**
 * Prints also fields that the view does not have: nothing shows them again.
 * @returns whether stdout shows the secret; otherwise it was rescued
 */
function printCreated(created: CreatedKey, context: Context): Promise<boolean> {
  const { columns, fields = [] } = createdApiKeyView;
  const known = new Set<unknown>([...columns.map(({ value }) => value), ...fields]);
  const others = Object.keys(created).filter(
    (name) =>
      !known.has(toSnakeCase(name)) && created[name] !== created.id && created[name] !== created.secret,
  );
  const further = others.map((name) => ({ header: name, value: name }));
  return showAnswer(created, { ...createdApiKeyView, columns: [...columns, ...further] }, context);
}

async function noteEnabled(
  body: Readonly<Record<string, unknown>>,
  { id, enabled }: CreatedKey,
  context: Context,
): Promise<void> {
  if (body['enabled'] !== false || enabled !== true) return;
  const disable = ['orgctl', 'api-keys', 'disable', ...toOperands(id)];
  await context.note('the service created the key enabled, not disabled; disable it', disable);
}

async function withName(options: CreateOptions, context: Context): Promise<CreateOptions> {
  const { name, field, data } = options;
  if (name !== undefined || field !== undefined || data !== undefined) return options;
  return { ...options, name: await askName('key', context) };
}

async function readBody(options: CreateOptions, context: Context): Promise<Record<string, unknown>> {
  const { name, field, data } = options;
  if (name === undefined && field === undefined && data === undefined) {
    throw new UsageError('nothing to create: give --name, --field or --data', {
      next: ['orgctl', 'api-keys', 'create', '--name', 'NAME'],
    });
  }
  const fields = parseFields(field ?? []);
  const body = joinFields([
    ['--data', data === undefined ? {} : parseDataObject(await readData(data, context))],
    ['--name', name === undefined ? {} : { name }],
    ['--field', fields],
  ]);
  if (typeof body['name'] === 'string') requireName(body['name']);
  return body;
}
