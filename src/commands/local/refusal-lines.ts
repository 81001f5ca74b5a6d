import type { ChalkInstance } from 'chalk';
import type { LinePart } from '../../terminal/formats/columns.js';

interface Refusal {
  readonly reason?: string | undefined;
  readonly advice?: string | undefined;
  readonly canonical?: string | undefined;
  readonly signed?: string | undefined;
}

interface AnsweredRequest {
  readonly time: string;
  readonly status: number | null;
  readonly method: string;
  readonly target: string;
  readonly keyId?: string | undefined;
  readonly milliseconds?: number | undefined;
  readonly stub?: string | undefined;
  readonly refusal?: Refusal | undefined;
}

const indent = `\n${' '.repeat('10:48:02  401  '.length)}`;

/** The request, followed by the reason and advice if it was refused. */
export function describeRequest(request: AnsweredRequest, isVerbose: boolean): readonly LinePart[] {
  const { time, status, method, target, keyId, milliseconds, stub, refusal } = request;
  return [
    { text: showLocalTime(time), style: paint('dim') },
    { text: String(status ?? 'dropped'), before: '  ', style: paint(chooseColor(status)) },
    { text: method, before: '  ', style: paint('bold') },
    { text: target },
    ...(keyId === undefined ? [] : [{ text: keyId, before: '   ', style: paint('cyan') }]),
    ...(stub === undefined ? [] : [{ text: `by the stub ${stub}`, before: '   ', style: paint('dim') }]),
    ...(refusal === undefined ? [] : describeRefusal(refusal, isVerbose)),
    ...(refusal !== undefined || milliseconds === undefined
      ? []
      : [{ text: `${milliseconds} ms`, before: '   ', style: paint('dim') }]),
  ];
}

function describeRefusal(
  { reason = 'refused', advice, canonical, signed }: Refusal,
  isVerbose: boolean,
): LinePart[] {
  const before = indent;
  const shown = (what: string, text: string | undefined) =>
    isVerbose && text !== undefined ? [{ text: `  ${what} ${text}`, before }] : [];
  return [
    { text: `✗ ${reason}`, before, style: paint('red') },
    ...(advice === undefined ? [] : [{ text: `→ ${advice}`, before, style: paint('green') }]),
    ...shown('expected:', canonical),
    ...shown('signed:  ', signed),
  ];
}

/** The reason and the advice on one line. */
export function whyRefused({ reason = '', advice }: Refusal): string {
  return advice === undefined ? reason : `${reason}: ${advice}`;
}

/** `10:48:02` in this machine's zone; leaves other text unchanged. */
export function showLocalTime(time: string): string {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? time : moment.toTimeString().slice(0, 8);
}

function paint(style: 'dim' | 'bold' | 'cyan' | 'green' | 'yellow' | 'red') {
  return (text: string, chalk: ChalkInstance) => chalk[style](text);
}

function chooseColor(status: number | null): 'green' | 'yellow' | 'red' {
  if (status === null || status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
