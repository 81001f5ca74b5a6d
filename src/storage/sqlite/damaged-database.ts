import { dirname } from 'node:path';
import { restoreCommand } from '../../errors/advice.js';
import { ConfigError } from '../../errors/errors.js';

export class DamagedDatabase extends ConfigError {
  readonly findings: readonly string[];

  constructor(path: string, findings: readonly string[], cause?: unknown) {
    const [first = 'it cannot be read', ...problems] = findings;
    super(`the database ${path} is damaged: ${first}`, {
      hint: 'restore a backup',
      next: restoreCommand(dirname(path)),
      problems,
      cause,
    });
    this.findings = findings;
  }
}
