/** A part of the sources, and the tests that stand beside it: they notice a change in seconds. */
export interface Area {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

export const areas: Readonly<Record<string, Area>> = {
  signing: {
    mutate: [
      'src/signing/**/{basic,basic-scheme,claim,hmac-scheme,in-words,scheme,signature,timestamp,verify-request,visible-canonical}.ts',
    ],
    tests: ['test/signing/**/*.test.ts', 'test/server/explain.test.ts'],
  },
  mistakes: {
    mutate: [
      'src/signing/mistakes/{known,attempt}/*.ts',
      'src/signing/mistakes/{corrections,explain-mismatch,search-attempts,signature-spellings,signed-instead}.ts',
    ],
    tests: ['test/signing/**/*.test.ts'],
  },
  client: {
    mutate: [
      'src/client/**/{body-bytes,exchange,exchanger,follow-pages,json-body,page-course,request,resource-calls,retry,transport}.ts',
    ],
    tests: ['test/client/**/*.test.ts', 'test/commands/connections-list.test.ts'],
  },
  answers: {
    mutate: [
      'src/client/**/{answer-error,answer-message,decode,explain-failure,failure-error,time-headers,trace}.ts',
    ],
    tests: ['test/client/**/*.test.ts'],
  },
  reading: {
    mutate: ['src/client/reading/*.ts'],
    tests: [
      'test/client/**/*.test.ts',
      'test/commands/{foreign-answers,foreign-lists,profile-dialect}.test.ts',
    ],
  },
  connecting: {
    mutate: [
      'src/client/**/{api,client-options,control-client,create-client,dispatcher,own-environment,probe,proxy,sign-interceptor,signed-fetch,signing-dispatch,trusted-roots,wasm-tier-up}.ts',
    ],
    tests: ['test/client/**/*.test.ts', 'test/commands/local.test.ts'],
  },
  profiles: {
    mutate: [
      'src/{profiles,platform}/**/{file-lock,parse-profile-file,pending-creation,permissions,profile-edits,profile-file,record-seal,store,write-profile-file}.ts',
    ],
    tests: ['test/{profiles,platform}/**/{file-lock,profile-choice,store}.test.ts'],
  },
  settings: {
    mutate: [
      'src/profiles/**/{color,credential,describe-settings,resolve,resolved-settings,secret,settings,source}.ts',
    ],
    tests: [
      'test/profiles/**/{credential,describe-settings,precedence,profile-choice,secret-command}.test.ts',
    ],
  },
  // What reads the keyring itself is a process of its own, where no mutant is on.
  secrets: {
    mutate: ['src/profiles/**/{keyring,secret-command,secret-command-line}.ts'],
    tests: ['test/profiles/**/{keyring,secret-command,secret-command-line}.test.ts'],
  },
  rotation: {
    mutate: [
      'src/verbs/api-keys/{rotation,interrupted-creation,orphan-rules,profile-record,secret-sink,secret-file,secret-record,unfinished-rotation}.ts',
    ],
    tests: ['test/commands/{api-key*,interrupted-creation,secret-file}.test.ts'],
  },
  bulk: {
    mutate: ['src/verbs/{bulk,attempts}.ts'],
    tests: ['test/{commands,verbs}/{attempts,bulk-entries,bulk}.test.ts'],
  },
  authentication: {
    mutate: [
      'src/signing/refusals/explain-credential.ts',
      'src/server/explain/explain-credentials.ts',
      'src/server/admission/admission.ts',
    ],
    tests: [
      'test/server/{authentication,clock,signed-bytes,explain,bodies,limits,overload,rate-limit,http}.test.ts',
    ],
  },
  quotas: {
    mutate: ['src/storage/reading/quotas.ts'],
    tests: [
      'test/storage/**/*.test.ts',
      'test/server/{quotas,resources,lists,organizations,control,seed}.test.ts',
    ],
  },
  'group-commit': {
    mutate: [
      'src/storage/**/{gathering,group-commit,shared-creations}.ts',
      'src/server/admission/usage-recorder.ts',
    ],
    tests: [
      'test/storage/**/{group-commit,shared-creations}.test.ts',
      'test/server/{quotas,usage-recorder}.test.ts',
    ],
  },
};
