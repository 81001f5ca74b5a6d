import type { clockAnswerSchema, FaultAnswer, StubAnswer } from '../../api/control/control-answers.js';
import { stubGrammar } from '../../api/control/stub-text.js';
import { faultEffects, faultForm } from '../../api/faults/fault-grammar.js';
import type { QuotaRecord } from '../../api/quota.js';
import type { z } from '../../api/schema/schema.js';
import { argument, option, subgroup } from '../../cli/command.js';
import type { ControlClient } from '../../client/control-client.js';
import { UsageError } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { formatDuration, formatRounded } from '../../text/duration.js';
import { fullestFirst, quotaView } from '../quotas/rows.js';
import { parseQuotaRules, parseRateLimit } from '../serve/options.js';
import { serverVerb, showList, showOne, showValue } from './server-verb.js';

const clockView: View<z.infer<typeof clockAnswerSchema>> = {
  columns: [
    { header: 'TIME', value: 'time' },
    { header: 'OFFSET', value: 'offset', drawn: (offset) => describeOffset(Number(offset)) },
  ],
};

const shows = showOne(clockView);

/** Such as `none`, `10m ahead` or `1d 12h behind`; rounded. */
export function describeOffset(milliseconds: number): string {
  const text = formatRounded(Math.abs(milliseconds));
  return text === '' ? 'none' : `${text} ${milliseconds > 0 ? 'ahead' : 'behind'}`;
}

export const clock = subgroup('clock', {
  summary: "show, set, advance and reset the server's clock",
  examples: [['orgctl local clock advance 10m', 'does the server refuse clients whose clock is behind?']],
  verbs: [
    serverVerb('show', {
      summary: "show the server's time and its offset from this machine's clock",
      examples: [['orgctl local clock show --query offset', 'milliseconds ahead, for a script']],
      reads: true,
      shows,
      run: ({ control }) => control.call('clock.get'),
    }),
    serverVerb('set', {
      summary: "set the server's time",
      args: [argument('<time>', 'time with a zone, such as 2030-01-01T00:00:00Z, or a date (midnight UTC)')],
      examples: [
        ['orgctl local clock set 2030-12-31T23:59:50+01:00', 'ten seconds before the new year in Berlin'],
      ],
      shows,
      run: ({ control }, [time]) => control.call('clock.set', { time }),
    }),
    serverVerb('advance', {
      summary: "move the server's clock forward by a duration, or back if it is negative",
      args: [argument('<duration>', 'such as 10m, or -10m to move back')],
      examples: [['orgctl local clock advance -1h', 'back by an hour']],
      // A negative duration looks like an option.
      parser: (command) =>
        command.allowUnknownOption().hook('preAction', ({ args: [by = ''] }) => {
          if (/^-\D/.test(by)) throw new UsageError(`unknown option '${by}'`);
        }),
      shows,
      run: ({ control }, [by]) => control.call('clock.advance', { by }),
    }),
    serverVerb('reset', {
      summary: "reset the server's clock to this machine's time",
      examples: [['npm test; orgctl local clock reset', 'after tests that moved it']],
      shows,
      run: async ({ control }) =>
        control.call('clock.advance', { by: -(await control.call('clock.get')).offset }),
    }),
  ],
});

const faultView: View<FaultAnswer> = {
  columns: [
    { header: 'RULE', value: 'rule' },
    { header: 'HITS', value: 'hits', align: 'right' },
    { header: 'REMAINING', value: 'remaining', align: 'right' },
  ],
  empty: 'no faults',
};

export const faults = subgroup('faults', {
  summary: 'show and set the rules that make requests fail',
  examples: [["orgctl local faults set 'GET /quotas=503x2'", 'the next two GET /quotas get 503']],
  verbs: [
    serverVerb('list', {
      summary: 'list the fault rules, with the hits so far and the hits that remain',
      examples: [["orgctl local faults list --query 'sum([].hits)'", 'how many hits were there in all?']],
      reads: true,
      shows: showList(faultView),
      run: async ({ control }) => (await control.call('faults.get')).faults,
    }),
    serverVerb('set', {
      summary: 'replace all fault rules',
      description: `Replace all fault rules; each has the form of serve --fault: ${faultForm}, where EFFECT is ${faultEffects}.`,
      args: [argument('<rules...>', "such as 'POST /connections=429'")],
      examples: [
        ["orgctl local faults set '* *=delay:2s' 'POST *=drop'", 'delays every request, and drops each POST'],
      ],
      shows: showList(faultView),
      run: async ({ control }, [rules]) => (await control.call('faults.set', { rules: [...rules] })).faults,
    }),
    clearVerb('faults', 'all fault rules', (control) => control.call('faults.clear')),
  ],
});

function clearVerb(name: string, what: string, clear: (control: ControlClient) => Promise<unknown>) {
  return serverVerb('clear', {
    summary: `remove ${what}`,
    examples: [[`npm test; orgctl local ${name} clear`, 'after the tests']],
    async run({ control, context }) {
      await clear(control);
      await context.note(`removed ${what}`);
    },
  });
}

const stubView: View<StubAnswer> = {
  columns: [
    { header: 'REQUEST', value: 'request' },
    { header: 'STATUS', value: 'status' },
    { header: 'BYTES', value: ({ body = '' }) => Buffer.byteLength(body), align: 'right' },
    { header: 'HITS', value: 'hits', align: 'right' },
  ],
  fields: ['headers', 'body'],
  empty: 'no stubs',
};

export const stubs = subgroup('stubs', {
  summary: 'show and set stubs: fixed responses that replace those of the server',
  examples: [["orgctl local stubs set 'GET /projects=200 []'", 'an endpoint that does not exist yet']],
  verbs: [
    serverVerb('list', {
      summary: 'list stubs and how often each was used',
      examples: [['orgctl local stubs list -o yaml', 'with headers and bodies']],
      reads: true,
      shows: showList(stubView),
      run: async ({ control }) => (await control.call('stubs.get')).stubs,
    }),
    serverVerb('set', {
      summary: 'replace all stubs',
      description: `Replace all stubs; each has the form of serve --stub: ${stubGrammar}.`,
      args: [argument('<stubs...>', "such as 'GET /connections=200 @connections.json'")],
      examples: [
        ["orgctl local stubs set 'POST /api-keys=@answer.yaml'", 'status, headers and body from a file'],
      ],
      shows: showList(stubView),
      async run({ control, context }, [texts]) {
        const { readStubs } = await import('../serve/input-files.js');
        const stubs = await readStubs(texts, context);
        return (await control.call('stubs.set', { stubs: [...stubs] })).stubs;
      },
    }),
    clearVerb('stubs', 'all stubs', (control) => control.call('stubs.clear')),
  ],
});

/** `window` is in milliseconds. */
type RateLimit = Readonly<Record<'requests' | 'window', number>>;

const rateLimitView: View<RateLimit> = {
  columns: [
    { header: 'REQUESTS', value: 'requests', align: 'right' },
    { header: 'WINDOW', value: ({ window }) => formatDuration(window), data: ({ window }) => window },
  ],
  empty: 'no rate limit',
};

const showRateLimit = showValue(rateLimitView, (limit: RateLimit | null) => (limit === null ? [] : [limit]));

export const rateLimit = subgroup('rate-limit', {
  summary: 'show, set and clear the rate limit of each API key',
  examples: [['orgctl local rate-limit set 3/10s', 'does a client wait as Retry-After says?']],
  verbs: [
    serverVerb('show', {
      summary: 'show the rate limit of each API key',
      examples: [['orgctl local rate-limit show -o json', 'null if there is none']],
      reads: true,
      shows: showRateLimit,
      run: async ({ control }) => (await control.call('rateLimit.get')).rateLimit,
    }),
    serverVerb('set', {
      summary: 'set how many requests per time window each API key may send',
      args: [argument('<limit>', 'requests/duration, such as 100/1m')],
      examples: [['orgctl local rate-limit set 100/1m', '100 requests per minute for each API key']],
      shows: showRateLimit,
      async run({ control }, [text]) {
        const { requests, window } = parseRateLimit(text, JSON.stringify(text));
        return (await control.call('rateLimit.set', { requests, window })).rateLimit;
      },
    }),
    clearVerb('rate-limit', 'the rate limit', (control) => control.call('rateLimit.clear')),
  ],
});

export const quotas = subgroup('quotas', {
  summary: 'set the limits of an organization',
  examples: [['orgctl local quotas set connections=0', 'the server refuses the next connection']],
  verbs: [
    serverVerb('set', {
      summary: 'set limits of an organization; a limit below current use removes nothing',
      args: [argument('<limits...>', 'limits of the form kind=number')],
      options: [option('--organization <id>', 'the organization; default the first one')],
      examples: [['orgctl local quotas set connections=50 teams=0', 'two limits at once']],
      shows: showValue(quotaView(), (record: QuotaRecord) => fullestFirst(record)),
      run: ({ control }, [rules], { organization }) =>
        control.call('quotas.set', { limits: parseQuotaRules(rules), organization }),
    }),
  ],
});
