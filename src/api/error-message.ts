export interface ErrorBody {
  readonly statusCode: number;
  readonly message: string;
}

/** Start of the message if `orgctl proxy` itself refuses a request. */
export const proxyRefusalStart = 'orgctl proxy: ';

/** Follows `proxyRefusalStart` if a fault rule of the proxy made the response. */
export const proxyFaultStart = 'a fault rule applied: ';

/** Wording of the API reference. */
export function quotaExceededMessage(limit: number, kind: string, used: number): string {
  return `Quota exceeded: maximum ${limit} ${kind} allowed per organization (currently: ${used})`;
}

const quotaExceededPattern =
  /^Quota exceeded: maximum (\d+) (\S+) allowed per organization \(currently: (\d+)\)$/;

/** The numbers in the message of an exceeded quota; `undefined` for any other message. */
export function parseQuotaExceeded(
  message: string,
): { kind: string; limit: number; used: number } | undefined {
  const [, limit, kind, used] = quotaExceededPattern.exec(message) ?? [];
  if (limit === undefined || kind === undefined || used === undefined) return undefined;
  return { kind, limit: Number(limit), used: Number(used) };
}
