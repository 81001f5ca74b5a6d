/** A fault that could be made in the sources, and the tests that are to notice it. */
export interface Fault {
  readonly name: string;
  /** What the sources have once, wherever it is. */
  readonly find: string;
  readonly replace: string;
  /** Files of tests, by how their paths begin. */
  readonly tests: readonly string[];
}

const deletion = '  await apiKeys.delete(id).catch((error: unknown) => {\n';
const rotation = ['test/commands/api-keys-rotate'];
const unfinished = ['test/commands/unfinished-rotation'];

/** Each was once in the sources without a test that failed, and all of them at once. */
export const faults: readonly Fault[] = [
  {
    name: 'rotation: the new secret is never stored as pending',
    find: '    ...requireUnchanged(name, current, profile, replaced),\n    pending,',
    replace: '    ...requireUnchanged(name, current, profile, replaced),',
    tests: rotation,
  },
  {
    name: 'rotation: the proof is skipped',
    find: '  await prove(name, profile, fresh, context);',
    replace: '  if (Date.now() < 0) await prove(name, profile, fresh, context);',
    tests: rotation,
  },
  {
    name: 'rotation: the old key to retire is not remembered at the swap',
    find: '{ ...current, keyId, secret, ...retiring }',
    replace: '{ ...current, keyId, secret }',
    tests: rotation,
  },
  {
    name: 'rotation: any failure of the old key’s deletion counts as success',
    find: `${deletion}    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;`,
    replace: `${deletion}    if (!(error instanceof Error)) throw error;`,
    tests: rotation,
  },
  {
    name: 'rotation: an old key that is gone is an error',
    find: `${deletion}    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;`,
    replace: `${deletion}    throw error;`,
    tests: rotation,
  },
  {
    name: 'rotation: a profile that changed meanwhile goes unnoticed',
    find: 'if (isSame && current.pending?.keyId === pendingId) return current;',
    replace: 'if (current !== undefined || pendingId === keyId) return current ?? { baseUrl: "", keyId };',
    tests: rotation,
  },
  {
    name: 'rotation: what an interrupted one left is acted on at any address',
    find: '  return whyNotSealed(record, places[what], signer);',
    replace: '  return whyNotSealed(record, places[what], signer) && undefined;',
    tests: unfinished,
  },
  {
    name: 'rotation: a new key that is ignored is lost',
    find: '  const path = await keepPendingSecret(pending, context);',
    replace: "  const path = '';",
    tests: unfinished,
  },
  {
    name: 'profile set: a secret is stored for the key that a rotation has put in place meanwhile',
    find: '    if (isForKey) assertSameCredential(name, profile, stored);\n',
    replace: '',
    tests: unfinished,
  },
  {
    name: 'records: two runs take over one',
    find: '    if (this.#isOwn || this.#identity === undefined) return work(() => undefined);',
    replace: '    if (Date.now() > 0) return work(() => undefined);',
    tests: ['test/commands/secret-file'],
  },
  {
    name: "rotation: the environment's secret is taken for the profile's",
    find: "|| origin.secret.source.kind !== 'profile') {",
    replace: ') {',
    tests: rotation,
  },
  {
    name: 'api-keys create: a sink that fails loses the secret',
    find: `await rescueSecret(created, \`profile \${name} could not store it\`, context);`,
    replace: '',
    tests: rotation,
  },
  {
    name: 'files: private files are written without sync',
    find: '    await file.writeFile(text);\n    await syncFile(file);',
    replace: '    await file.writeFile(text);',
    tests: ['test/platform'],
  },
  {
    name: 'files: the new name of a file is not synced',
    find: '  await rename(from, to);\n  await syncParentDirectory(to);',
    replace: '  await rename(from, to);',
    tests: ['test/platform'],
  },
  {
    name: 'serve rotate-master-key: --data is ignored',
    find: '      ...dataSource(flags, context),\n      database: sharedDatabase(flags, [], context.system),\n      newMasterKey',
    replace:
      '    ...dataSource({}, context),\n    database: sharedDatabase(flags, [], context.system),\n    newMasterKey',
    tests: ['test/commands/serve-rotate-master-key'],
  },
  {
    name: 'SQLite: commits are not synced',
    find: "database.pragma('synchronous = FULL');",
    replace: "database.pragma('synchronous = OFF');",
    tests: ['test/storage'],
  },
  {
    name: 'SQLite: foreign keys are not checked',
    find: "database.pragma('foreign_keys = ON');",
    replace: "database.pragma('foreign_keys = OFF');",
    tests: ['test/storage'],
  },
  {
    name: 'PostgreSQL: no limit on waiting for a lock',
    find: '; set local lock_timeout = 3000',
    replace: '',
    tests: ['test/postgres/transaction-limits'],
  },
  {
    name: 'PostgreSQL: no limit on an idle transaction',
    find: 'set local idle_in_transaction_session_timeout = 10000; ',
    replace: '',
    tests: ['test/postgres/transaction-limits'],
  },
  {
    name: 'storage: a savepoint is not released',
    find: '  await transaction.executeQuery(release);\n',
    replace: '',
    tests: ['test/storage/writing/group-commit'],
  },
  {
    name: 'control: a key is not revoked yet when it is answered',
    find: "'keys.revoke'(id) {\n      await",
    replace: "'keys.revoke'(id) {\n      void",
    tests: ['test/postgres/done-before-answered'],
  },
  {
    name: 'control: nothing is reset yet when it is answered',
    find: 'await control.reset();\n      return',
    replace: 'void control.reset();\n      return',
    tests: ['test/postgres/done-before-answered'],
  },
  {
    name: 'profiles: a lock that was lost goes unnoticed',
    find: 'if (readFileIdentity(path) !== own) throw heldByAnother(path);',
    replace: '',
    tests: ['test/profiles'],
  },
  {
    name: 'profiles: the errors of the lock are not ours',
    find: '    .catch((error: unknown) => {\n      throw lockError(path, error);\n    });',
    replace: ';',
    tests: ['test/profiles'],
  },
  {
    name: 'client: no wait between retries',
    find: 'await wait(delay, signal);',
    replace: 'void wait;',
    tests: ['test/client/exchange/retry'],
  },
  {
    name: 'client: 502 to 504 are never retryable',
    find: "retryable: code === 'rate_limited' || (called.method === 'GET' && passingStatuses.has(status)),",
    replace: "retryable: code === 'rate_limited',",
    tests: ['test/client'],
  },
  {
    name: 'profiles: --allow-host is not read',
    find: 'if (!allowHost) assertSameOrigin(baseUrl, active);',
    replace: 'assertSameOrigin(baseUrl, active);',
    tests: ['test/profiles'],
  },
  {
    name: 'profiles: a profile with a secret and a command is taken',
    find: 'if (both.length > 1) {',
    replace: 'if (both.length > 9) {',
    tests: ['test/profiles'],
  },
  {
    name: 'profiles: a rename makes any profile current',
    find: '...(current === name ? { current: to } : {})',
    replace: 'current: to',
    tests: ['test/profiles'],
  },
  {
    name: 'profiles: permissions that cannot be read are taken for safe',
    find: `return code === 'ENOENT' ? undefined : \`the permissions of \${path} cannot be read (\${code})\`;`,
    replace: 'return code === undefined ? path : undefined;',
    tests: ['test/profiles'],
  },
  {
    name: 'bulk: it stops after four failures in place of eight',
    find: 'this.#troublesInARow >= attemptsAtOnce)',
    replace: 'this.#troublesInARow >= 4)',
    tests: ['test/commands/bulk', 'test/verbs/attempts'],
  },
  {
    name: 'faults: truncate sends nothing',
    find: 'Math.floor(body.byteLength / 2)',
    replace: '0',
    tests: ['test/server/faults'],
  },
  {
    name: 'faults: truncate sends all',
    find: 'Math.floor(body.byteLength / 2)',
    replace: 'body.byteLength',
    tests: ['test/server/faults'],
  },
  {
    name: 'serve: --tls-cert and --tls-key are swapped',
    find: "cert: readPemFlag('--tls-cert', tlsCert, context),\n    key: readPemFlag('--tls-key', tlsKey, context)",
    replace:
      "cert: readPemFlag('--tls-key', tlsKey, context),\n    key: readPemFlag('--tls-cert', tlsCert, context)",
    tests: ['test/commands/serve.test.ts'],
  },
  {
    name: 'quotas: a full quota is not red',
    find: 'if (percent >= 100) return chalk.red(text);',
    replace: 'if (percent > 1000) return chalk.red(text);',
    tests: ['test/commands/quotas'],
  },
  {
    name: 'completion: PowerShell gets no values',
    find: "Where-Object { $_ -and $_ -ne ':files' }",
    replace: "Where-Object { $_ -eq ':files' }",
    tests: ['test/commands/completion'],
  },
  {
    name: 'doctor: the hint does not close the files',
    find: 'hint: `chmod -R go-rwx',
    replace: 'hint: `chmod -R go+rwx',
    tests: ['test/commands/doctor'],
  },
  {
    name: 'the bundle: dispatchers have no methods',
    find: 'Object.assign(Dispatcher.prototype, api);',
    replace: '',
    tests: ['test/e2e'],
  },
  {
    name: 'the bundle: quotas prints nothing',
    find: '\n  await printer.value(reading.value, reading.rows',
    replace: '\n  if (Date.now() < 0) await printer.value(reading.value, reading.rows',
    tests: ['test/e2e'],
  },
  {
    name: 'client: a broken answer is retryable where it must not be',
    find: 'retryable: !isChanging(called) && !(cause instanceof AnswerTooLargeError)',
    replace: 'retryable: isChanging(called) || cause instanceof AnswerTooLargeError',
    tests: ['test/client'],
  },
  {
    name: 'signing: the bytes of a target are signed as text',
    find: "typeof target === 'string' ? Buffer.from(target) : target,",
    replace: 'Buffer.from(String(target)),',
    tests: ['test/signing', 'test/server/signed-bytes'],
  },
  {
    name: 'records: one of another secret is acted on',
    find: 'return isOurs ? undefined : `was not written here',
    replace: 'return isOurs || mac !== undefined ? undefined : `was not written here',
    tests: ['test/profiles/record-seal', 'test/commands/api-key-secrets'],
  },
  {
    name: 'records: a key is deleted where there is nobody to ask',
    find: ',\n      );\n      return [];',
    replace: ',\n      );\n      return orphans;',
    tests: ['test/commands/api-key-secrets'],
  },
  {
    name: 'apply: what was there before the attempt is taken for what was created',
    find: '.filter((one) => !before.has(readId(one)));',
    replace: '.filter((one) => readId(one) !== before);',
    tests: ['test/organization/apply'],
  },
  {
    name: 'apply: a resource with other fields is taken for what was created',
    find: 'return differences(body, found).changes.length === 0 && !hasMore(own, body);',
    replace: 'return differences(body, found).changes.length >= 0;',
    tests: ['test/organization/apply'],
  },
];
