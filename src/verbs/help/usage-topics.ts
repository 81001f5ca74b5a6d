import { definitionList, paragraph } from '../../cli/help-format.js';
import type { Topic } from './topic.js';

interface UsageTopic {
  readonly name: string;
  readonly summary: string;
  readonly text: string;
  readonly items: readonly (readonly [term: string, what: string])[];
}

const usageTopics: readonly UsageTopic[] = [
  {
    name: 'files',
    summary: 'formats of --file, apply, --seed and --dialect',
    text: 'orgctl recognizes JSON, YAML and JSONL by content; a file named .jsonl or .ndjson is always JSONL. For --file, apply and diff, - means stdin. orgctl checks the whole file before the first request; errors name line and path. The last line of YAML for --file, apply and diff must end with a line break: without one, it may be truncated.',
    items: [
      ['connections create --file', 'one connection or a list; fields as in the API'],
      ['teams create --file', 'one team or a list'],
      ['apply, diff', 'an organization file, as export writes it'],
      ['serve --seed', 'initial organizations, keys and resources'],
      ['serve --dialect', 'the forms in which a service responds: orgctl help dialects'],
      ['--ca-file', 'PEM certificates'],
    ],
  },
  {
    name: 'query',
    summary: 'JMESPath expressions for --query',
    text: 'A JMESPath expression filters the JSON value before printing. It implies -o json, unless -o is given; -r prints strings unquoted, one per line.',
    items: [
      ["'[].id' -r", 'the ID of each item'],
      ["'[?enabled==`false`].name'", 'the names of disabled keys'],
      ["'connections.remaining'", 'one figure from orgctl quotas'],
      ["'length(@)'", 'the number of items'],
      ["'sort_by(@, &created_at)[-1].id'", 'the ID of the newest item'],
    ],
  },
  {
    name: 'durations',
    summary: 'how durations and ages are written',
    text: 'A whole number or decimal with a unit; a number without a unit is refused.',
    items: [
      ['500ms', 'milliseconds'],
      ['30s', 'seconds, such as --timeout 30s'],
      ['2m', 'minutes, such as --deadline 2m'],
      ['1h', 'hours'],
      ['90d', 'days, for ages: --unused-for 90d'],
      ['-10m', '10 minutes earlier: serve --clock-offset -10m'],
    ],
  },
  {
    name: 'output',
    summary: 'output formats, columns and streams',
    text: 'Only data goes to stdout; notes, progress and errors go to stderr. In a pipe nothing is cut, and nothing is colored by default. On a narrow terminal, a table omits its least important columns and names them.',
    items: [
      ['-o table', 'main columns, timestamps as ages'],
      ['-o wide', 'every column, at any width'],
      ['-o json', 'the data as the service returned it; a list is an array'],
      ['-o jsonl', 'one object per line'],
      ['-o yaml', 'the same values as -o json'],
      ['-o csv', 'columns with exact timestamps'],
      ['--columns id,name', 'these columns of table and csv'],
      ['--query EXPRESSION', 'part of the data: orgctl help query'],
      ['--color never', 'no color; NO_COLOR=1 does the same'],
    ],
  },
  {
    name: 'dialects',
    summary: 'services whose lists, responses or errors look different',
    text: 'orgctl understands the common forms of responses. A dialect restricts a profile to the forms of one service, or makes orgctl serve respond in them.',
    items: [
      ['orgctl probe', 'show how a service responds; sends only GET requests'],
      ['orgctl probe -o yaml', 'write the result as a dialect file'],
      ['orgctl profile set NAME --dialect X', 'pin a preset or a file for a profile'],
      ['orgctl serve --dialect X', 'respond in a preset (reference, bare, cursor, camel) or a dialect file'],
    ],
  },
];

function toTopic({ name, summary, text, items }: UsageTopic): Topic {
  return {
    name,
    summary,
    value: () => items.map(([term, meaning]) => ({ term, meaning })),
    text: (width) => [paragraph(text, width), definitionList(items, width)].join('\n'),
  };
}

export const listedUsageTopics: readonly Topic[] = usageTopics.map(toTopic);
