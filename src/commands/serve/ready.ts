import type { RunningServer } from '../../server/index.js';

/** The line that `-o json` prints on stdout when the server accepts requests (contract, section 5); `keys` are those of a seed [ours]. */
export function readyLine(server: RunningServer, pid: number): string {
  const { url, caFile, keyId, secret, organization, data, controlToken, seededKeys: keys } = server;
  const ready = { event: 'ready', url, caFile, keyId, secret, organization, pid, data, controlToken, keys };
  return `${JSON.stringify(ready)}\n`;
}

/** What a person reads instead: where the server is, and the next command to type. */
export function banner(server: RunningServer, profile: string | undefined): string {
  const rows = [
    ['address', server.url],
    ['key ID', server.keyId],
    ['data', server.database ?? server.data ?? 'in memory, gone when the server stops'],
    ...(server.caFile === undefined ? [] : [['CA', server.caFile]]),
  ];
  const lines = rows.map(([name, value]) => `  ${String(name).padEnd(8)} ${value}`);
  const next =
    profile === undefined
      ? 'The secret is in the ready line of: orgctl serve -o json'
      : `In another terminal: orgctl quotas --profile ${profile}`;
  return `${['orgctl serve is ready.', ...lines, '', next, 'Ctrl-C stops it.'].join('\n')}\n`;
}
