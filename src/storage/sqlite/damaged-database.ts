import { ConfigError } from '../../errors/errors.js';

export class DamagedDatabase extends ConfigError {
  readonly findings: readonly string[];

  constructor(path: string, findings: readonly string[], cause?: unknown) {
    const [first = 'it cannot be read', ...problems] = findings;
    super(`the database ${path} is damaged: ${first}`, {
      hint: 'restore a backup',
      problems,
      cause,
    });
    this.findings = findings;
  }
}
