import type { Command } from '@commander-js/extra-typings';
import { apiKeys } from '../../api/resources/api-key.js';
import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { notInReference, withExamples } from '../../cli/help-text.js';
import { advise, DeclinedError, UsageError } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { ageOf } from '../../terminal/text/age.js';
import { parseAge } from '../../text/duration.js';
import { type AnswerContext, apiForChange, printAnswer } from '../../verbs/print-answer.js';
import { deleteVerb } from '../../verbs/resource/delete.js';
import { getVerb } from '../../verbs/resource/get.js';
import { listVerb } from '../../verbs/resource/list.js';
import type { Keep } from '../../verbs/resource/list-filter.js';
import { namedResource, orMissing, parseIdentifiers } from '../../verbs/resource/named.js';
import type { Noun } from '../../verbs/resource/noun.js';
import { updateResources } from '../../verbs/resource/update.js';

export const apiKeyView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'ENABLED', value: 'enabled' },
    { header: 'LAST USED', value: 'last_used_at', drawn: ageOf },
    { header: 'CREATED', value: 'created_at', drawn: ageOf },
  ],
  empty: 'no API keys',
  example: { id: 'key_0', name: 'example' },
};

const apiKey: Noun = { resource: apiKeys, exampleId: 'key_21f3b017', view: apiKeyView };

const evenMineOption = ['--even-mine', 'with --yes: also the key that signs this command'] as const;

export const list = listVerb(apiKey, [
  {
    option: ['--disabled', 'only disabled keys, among those read'],
    keep: ({ disabled }) => (disabled === true ? ({ enabled }) => enabled === false : undefined),
  },
  {
    option: ['--unused-for <duration>', 'only keys unused for this long, among those read, such as 90d'],
    keep: ({ unusedFor }, now) => (typeof unusedFor === 'string' ? unusedSince(unusedFor, now) : undefined),
  },
]);

/** Keys that were last used, or else created, at least this long ago. @throws UsageError for an invalid duration */
function unusedSince(duration: string, now: number): Keep {
  const age = parseAge(duration);
  if (age === undefined) {
    throw new UsageError(`--unused-for ${duration}: not a duration`, { hint: 'for example 90d, 12h or 30m' });
  }
  return ({ last_used_at: used, created_at: created }) => Date.parse(String(used ?? created)) <= now - age;
}

export const get = getVerb(apiKey);
export const remove = deleteVerb(apiKey, {
  option: evenMineOption,
  confirm: (ids, options, context) => confirmOwnKey('delete', ids, options, context),
});

/** `orgctl api-keys disable <id-or-name>`: `PATCH /api-keys/{id}` [ours]. Enabling is done in the console (reference, section 3). */
export function disable(command: Command, context: Context): void {
  withExamples(
    command
      .description(
        `Disable an API key ${notInReference}. It is refused from then on. Only the management console enables it again; on a server on this machine, orgctl local keys enable.`,
      )
      .argument('<id-or-name>', 'ID or exact name of the API key')
      .option('-y, --yes', 'do not ask')
      .option(...evenMineOption),
    [['orgctl api-keys disable key_21f3b017', 'until it is enabled again']],
    {
      calls: 'service',
      writes: ['service'],
      asks: 'for the ID of the key that signs, unless --yes --even-mine',
    },
  ).action((text, options) => disableApiKey(text, options, context));
}

async function disableApiKey(
  text: string,
  options: OwnKeyOptions,
  context: AnswerContext & Pick<Context, 'api' | 'prompt' | 'settings' | 'note' | 'progress'>,
): Promise<void> {
  parseIdentifiers(apiKeys, [text]);
  const api = await apiForChange(apiKeyView, 'value', context);
  const target = await namedResource(apiKeys, text, api, context);
  await confirmOwnKey('disable', [target.id], options, context);
  const disabled = await orMissing(apiKeys, target, (id) =>
    api.apiKeys.update(id, { enabled: false }, { evenMine: true }),
  );
  await printAnswer(disabled, apiKeyView, context);
}

/** `orgctl api-keys update <id-or-name…>`: `PATCH /api-keys/{id}` [ours]. */
export function update(command: Command, context: Context): void {
  withExamples(
    command
      .description(`Rename one or more API keys ${notInReference}.`)
      .argument('<id-or-name...>', 'ID or exact name of the API key')
      .requiredOption('--name <name>', 'its new name'),
    [['orgctl api-keys update key_21f3b017 --name ci', 'a new name']],
    { calls: 'service', writes: ['service'], exits: ['partial'] },
  ).action((texts, { name }) => updateResources(apiKey, { texts, patch: { name } }, context));
}

/** What is answered beforehand. */
interface OwnKeyOptions {
  readonly yes?: boolean | undefined;
  readonly evenMine?: boolean | undefined;
}

/**
 * Deleting or disabling the key that signs locks its user out: warns, and asks for the key's ID. `--yes` does not
 * answer this question.
 *
 * @param change as `delete`, `disable`
 * @returns whether it was asked
 * @throws DeclinedError when another text than its ID was typed; UsageError when nobody can be asked, or `--yes` came
 * without `--even-mine`
 */
async function confirmOwnKey(
  change: 'delete' | 'disable',
  ids: readonly string[],
  { yes, evenMine }: OwnKeyOptions,
  context: Pick<Context, 'settings' | 'prompt' | 'note'>,
): Promise<boolean> {
  const { credential } = await context.settings().service();
  const { keyId } = credential;
  if (!ids.includes(keyId)) return false;
  const danger = `${keyId} is the key that signs this command: if you ${change} it, you lock yourself out`;
  if (yes && !evenMine) {
    throw new UsageError(
      danger,
      advise(
        ['orgctl', 'api-keys', 'rotate'],
        (command) => `${command} replaces it; --yes --even-mine does it anyway`,
      ),
    );
  }
  await context.note(`warning: ${danger}`);
  if (evenMine) return false;
  const prompt = await context.prompt();
  const typed = await prompt.line(`Type its ID to ${change} it:`, {
    hint: `${danger}; without a terminal to ask on, pass --yes --even-mine`,
  });
  if (typed.trim() === keyId) return true;
  throw new DeclinedError(`nothing was ${change}d: that is not ${keyId}`);
}

/** `orgctl api-keys enable <id>`: the API has no such call (reference, section 3), so this only says where to do it. */
export function enable(command: Command, _context: Context): void {
  withExamples(
    command
      .description(
        'Says where a disabled API key is enabled again: in the management console, because the API has no such call; on a server on this machine, with orgctl local keys enable.',
      )
      .argument('[id]', 'ID of an API key'),
    [['orgctl local keys enable key_21f3b017', 'on a server on this machine']],
    {},
  ).action((id = 'ID') => {
    throw new UsageError('only the management console can enable API keys: the API has no such call', {
      ...advise(
        ['orgctl', 'local', 'keys', 'enable', id],
        (command) => `on a server on this machine: ${command}`,
      ),
    });
  });
}
