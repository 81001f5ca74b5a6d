import type { ChalkInstance } from 'chalk';
import type { RefusalAnswer } from '../../api/control/control-answers.js';
import type { LinePart } from '../../terminal/formats/columns.js';

export interface AnsweredRequest {
  readonly time: string;
  readonly status: number | null;
  readonly method: string;
  readonly target: string;
  readonly keyId?: string | undefined;
  readonly milliseconds?: number | undefined;
  readonly stub?: string | undefined;
  readonly refusal?: RefusalInWords | undefined;
}

export interface RefusalInWords {
  readonly reason?: string | undefined;
  readonly advice?: string | undefined;
  readonly canonical?: string | undefined;
  readonly signed?: string | undefined;
}

const indent = `\n${' '.repeat('10:48:02  401  '.length)}`;

export interface RequestLayout {
  readonly isVerbose: boolean;
  /** Puts everything on one line, for programs. */
  readonly isOneLine?: boolean;
}

/** The request, followed by the reason and advice if it was refused. */
export function describeRequest(request: AnsweredRequest, layout: RequestLayout): readonly LinePart[] {
  const { time, status, method, target, keyId, milliseconds, stub, refusal } = request;
  const parts: LinePart[] = [
    { text: showLocalTime(time), style: dim },
    {
      text: String(status ?? 'dropped'),
      before: '  ',
      style: (text, chalk) => chalk[chooseColor(status)](text),
    },
    { text: method, before: '  ', style: (text, chalk) => chalk.bold(text) },
    { text: target },
  ];
  if (keyId !== undefined)
    parts.push({ text: keyId, before: '   ', style: (text, chalk) => chalk.cyan(text) });
  if (stub !== undefined) parts.push({ text: `by the stub ${stub}`, before: '   ', style: dim });
  if (refusal !== undefined) return [...parts, ...describeRefusal(refusal, layout)];
  if (milliseconds !== undefined) parts.push({ text: `${milliseconds} ms`, before: '   ', style: dim });
  return parts;
}

function describeRefusal(refusal: RefusalInWords, { isVerbose, isOneLine }: RequestLayout): LinePart[] {
  const { reason = 'refused', advice, canonical, signed } = refusal;
  const red = (text: string, chalk: ChalkInstance) => chalk.red(text);
  const [before, inset] = isOneLine ? ['   ', ''] : [indent, '  '];
  const green = (text: string, chalk: ChalkInstance) => chalk.green(text);
  return [
    { text: `✗ ${reason}`, before, style: red },
    ...(advice === undefined ? [] : [{ text: `→ ${advice}`, before, style: green }]),
    ...(isVerbose && canonical !== undefined ? [{ text: `${inset}expected: ${canonical}`, before }] : []),
    ...(isVerbose && signed !== undefined
      ? [{ text: `${inset}signed:${isOneLine ? '' : '  '} ${signed}`, before }]
      : []),
  ];
}

/** The reason and the advice on one line. */
export function whyRefused({ reason, advice }: Partial<Pick<RefusalAnswer, 'reason' | 'advice'>>): string {
  return advice === undefined ? (reason ?? '') : `${reason}: ${advice}`;
}

/** `10:48:02` in this machine's zone; leaves other text unchanged. */
export function showLocalTime(time: string): string {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? time : moment.toTimeString().slice(0, 8);
}

function dim(text: string, chalk: ChalkInstance): string {
  return chalk.dim(text);
}

function chooseColor(status: number | null): 'green' | 'yellow' | 'red' {
  if (status === null || status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
