/** A part of the sources, and the tests that stand beside it: they notice a change in seconds. */
export interface Area {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

export const areas: Readonly<Record<string, Area>> = {
  signing: { mutate: ['src/signing/*.ts'], tests: ['test/signing/*.test.ts'] },
  client: { mutate: ['src/client/*.ts'], tests: ['test/client/*.test.ts'] },
  profiles: { mutate: ['src/profiles/*.ts'], tests: ['test/profiles/*.test.ts'] },
  rotation: {
    mutate: ['src/commands/api-keys/{rotation,interrupted-creation,secret-sink,secret-file}.ts'],
    tests: ['test/commands/api-key*.test.ts'],
  },
  bulk: {
    mutate: ['src/commands/{bulk,attempts}.ts'],
    tests: ['test/commands/{attempts,bulk-entries,bulk}.test.ts'],
  },
  authentication: {
    mutate: ['src/server/authentication/*.ts', 'src/server/pipeline/admission.ts'],
    tests: ['test/server/{authentication,constant-time,clock,signed-bytes,explain}.test.ts'],
  },
  quotas: {
    mutate: ['src/storage/quotas.ts'],
    tests: ['test/storage/*.test.ts', 'test/server/{quotas,resources,lists,organizations}.test.ts'],
  },
  'group-commit': {
    mutate: ['src/storage/group-commit.ts'],
    tests: ['test/storage/group-commit.test.ts', 'test/server/quotas.test.ts'],
  },
};
