import type { JournalEntryAnswer } from '../../contract/control-answers.js';
import type { LinePart, View } from '../../terminal/columns.js';
import { whyRefused } from '../refusal-text.js';

/** Requests as lines of a log; why one was refused stands at its end, where nothing cuts it off. */
export const journalView: View<JournalEntryAnswer> = {
  columns: [
    { header: 'ID', value: 'id', align: 'right' },
    { header: 'TIME', value: 'time' },
    { header: 'STATUS', value: 'status' },
    { header: 'METHOD', value: 'method' },
    { header: 'TARGET', value: 'target' },
    { header: 'MS', value: 'milliseconds', align: 'right' },
    { header: 'KEY ID', value: 'keyId' },
    { header: 'CHECK', value: 'refusal.check' },
    { header: 'REASON', value: ({ refusal }) => refusal && whyRefused(refusal) },
  ],
  fields: ['organization', 'fault', 'headers', 'bodyBytes', 'body', 'refusal'],
  line,
  empty: 'no such requests',
};

function line({ time, status, method, target, milliseconds, keyId, refusal }: JournalEntryAnswer) {
  const parts: LinePart[] = [
    { text: time.slice(11, 23), style: (text, chalk) => chalk.dim(text) },
    { text: String(status ?? 'cut'), style: (text, chalk) => chalk[colorOf(status)](text) },
    { text: method.padEnd(6), style: (text, chalk) => chalk.bold(text) },
    { text: target },
    { text: `${milliseconds} ms`, style: (text, chalk) => chalk.dim(text) },
  ];
  if (keyId !== undefined) parts.push({ text: keyId, style: (text, chalk) => chalk.cyan(text) });
  if (refusal !== undefined) {
    parts.push({
      text: `${refusal.check}: ${whyRefused(refusal)}`,
      style: (text, chalk) => chalk.yellow(text),
    });
  }
  return parts;
}

function colorOf(status: number | null): 'green' | 'yellow' | 'red' {
  if (status === null || status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
