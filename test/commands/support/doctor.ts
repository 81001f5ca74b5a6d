import { emptyEnvironment, runCli } from '../../support/run-cli.js';

export type Environment = Record<string, string | undefined>;

interface Finding {
  readonly check: string;
  readonly result: string;
  readonly detail: string;
  readonly hint?: string;
  readonly code?: string;
}

/** What `doctor` finds. */
export async function examine(env: Environment, args: readonly string[] = []) {
  const ended = await runCli(['doctor', '-o', 'json', ...args], { env });
  const findings: readonly Finding[] = JSON.parse(ended.stdout);
  const finding = (name: string) => findings.find(({ check }) => check === name);
  const results = Object.fromEntries(findings.map(({ check, result }) => [check, result]));
  return { ended, finding, results };
}

/** A credential of the right shape for a service at an address. */
export function environmentOf(origin: string, changes: Environment = {}): Environment {
  return {
    ...emptyEnvironment(),
    ORGCTL_BASE_URL: origin,
    ORGCTL_KEY_ID: 'key_a',
    ORGCTL_SECRET: 'a'.repeat(64),
    ORGCTL_TIMEOUT: '10s',
    ...changes,
  };
}
