import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import { type BodyOptions, targetAndBody } from '../../input/body.js';
import { parseMethod, parseTarget } from '../../input/request-line.js';
import { parseTimestamp, timestampOf } from '../../signing/hmac/timestamp.js';

export interface RequestFlags extends BodyOptions {
  readonly contentType?: string | undefined;
  readonly timestamp?: string | undefined;
}

export interface RequestToSign {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly target: string;
  /** Unix seconds. */
  readonly timestamp: string;
  /** `undefined` if none is sent. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

export async function readRequestToSign(
  method: string,
  target: string,
  flags: RequestFlags,
  context: Pick<Context, 'system' | 'stdin' | 'clock'>,
): Promise<RequestToSign> {
  const given = {
    method: parseMethod(method),
    target: parseTarget(target),
    timestamp: parseTimestampFlag(flags.timestamp) ?? timestampOf(context.clock()),
    contentType: parseContentType(flags.contentType),
  };
  const parts = await targetAndBody(given.method, given.target, flags, context);
  const { body = Buffer.alloc(0) } = parts;
  const usual = parts.body === undefined ? '' : 'application/json';
  const contentType = (given.contentType ?? usual) || undefined;
  return { ...given, target: parts.target, contentType, body };
}

function parseTimestampFlag(text: string | undefined): string | undefined {
  if (text === undefined || parseTimestamp(text) !== undefined) return text;
  throw new UsageError(`--timestamp ${text}: not Unix time in seconds`, {
    hint: 'date +%s prints the current time',
  });
}

// Empty, for none, or a field value of RFC 9110, section 5.5, in ASCII, without a space at either end.
function parseContentType(text: string | undefined): string | undefined {
  if (text === undefined || /^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/.test(text)) return text;
  throw new UsageError(`--content-type ${JSON.stringify(text)}: not a valid header value`);
}
