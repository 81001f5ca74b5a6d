/** A change of the sources that no test can notice, for it changes nothing that anybody could. */
export interface NoFault {
  readonly file: string;
  /** The line, without its indentation. */
  readonly line: string;
  /** What stands in the place of a part of it: each of these. */
  readonly becomes: readonly string[];
  readonly reason: string;
}

export const noFaults: readonly NoFault[] = [
  {
    file: 'src/profiles/file/write-profile-file.ts',
    line: "if (readSystemCode(error) === 'ENOENT') return path;",
    becomes: ['true'],
    reason: 'any other reason has shown when the file was read, unless it came in that moment',
  },
  {
    file: 'src/verbs/api-keys/secret-file.ts',
    line: 'await rm(this.path, { force: true });',
    becomes: ['false', '{}'],
    reason: 'only a file that somebody else removes in that moment would be missed',
  },
  {
    file: 'src/client/probe.ts',
    line: 'this.#handler.onResponseStart?.(controller, status, headers, message);',
    becomes: ['this.#handler.onResponseStart(controller, status, headers, message)'],
    reason: 'the handler of an exchange has it, which the types of undici do not say',
  },
  {
    file: 'src/client/network/proxy.ts',
    line: "typeof connect === 'function' ? { ...options, connect: withoutServerName(connect) } : options,",
    becomes: ['true'],
    reason: 'undici hands over a function here, which its types do not say',
  },
  {
    file: 'src/client/network/proxy.ts',
    line: "const noProxy = env['no_proxy'] || env['NO_PROXY'] || '';",
    becomes: ['"Stryker was here!"'],
    reason: 'no host has that name',
  },
  {
    file: 'src/client/network/proxy.ts',
    line: "tunnel.socket.on('error', () => undefined).destroy();",
    becomes: ['""'],
    reason: 'only a reset that comes while the socket is destroyed would be heard of, which nobody can time',
  },
  {
    file: 'src/client/signing/signed-fetch.ts',
    line: "{ keyId, secret, auth = 'hmac', clock = Date.now }: SignOptions,",
    becomes: ['""'],
    reason: 'whatever is not basic signs',
  },
  {
    file: 'src/client/signing/signing-dispatch.ts',
    line: 'body: body.byteLength === 0 ? null : body,',
    becomes: ['false'],
    reason: 'undici sends the same for no body and for an empty one',
  },
  {
    file: 'src/client/network/trusted-roots.ts',
    line: 'if (caFile === undefined) return () => tls.createSecureContext({ minVersion: verified.minVersion });',
    becomes: ['() => undefined'],
    reason: 'Node then makes the same context by the other options, for each connection anew',
  },
  {
    file: 'src/client/network/trusted-roots.ts',
    line: "...(extra ? [readPem(extra, 'NODE_EXTRA_CA_CERTS')] : []),",
    becomes: ['["Stryker was here"]'],
    reason: 'a text that is no certificate adds none',
  },
  {
    file: 'src/client/network/trusted-roots.ts',
    line: "const isInFile = !['win32', 'darwin'].includes(platform());",
    becomes: ['""'],
    reason: 'Windows has none of these files, and is asked for its list then',
  },
  {
    file: 'src/client/network/proxy.ts',
    line: "super('no way through the proxy', { cause });",
    becomes: ['""'],
    reason: 'what is said of it is made of its parts',
  },
  {
    file: 'src/client/signing/signing-dispatch.ts',
    line: "const { auth = 'hmac', maxBodyBytes = defaultMaxBodyBytes } = options;",
    becomes: ['""'],
    reason: 'whatever is not basic signs',
  },
  {
    file: 'src/client/answers/time-headers.ts',
    line: "if (typeof header !== 'string') return undefined;",
    becomes: ['false'],
    reason: 'what is no text, as a text, is neither a date nor digits: it is asked for the compiler alone',
  },
  {
    file: 'src/client/transport/trace.ts',
    line: `for (const one of [value ?? []].flat()) trace(\`< \${name}: \${redactedHeader(name, one)}\`);`,
    becomes: ['["Stryker was here"]'],
    reason: 'a header that came has a value, which the compiler does not know',
  },
  {
    file: 'src/client/control-client.ts',
    line: "throw answer.status < 400 ? redirectError(answer) : answerError(answer, Date.now(), 'ID');",
    becomes: ['""'],
    reason: 'these calls are made with a token: no answer to them is about a key that is disabled',
  },
  {
    file: 'src/client/network/dispatcher.ts',
    line: "noProxy: '',",
    becomes: ['"Stryker was here!"'],
    reason: 'no host has that name',
  },
  {
    file: 'src/client/exchange/exchange.ts',
    line: "if (this.#settled) controller.abort(new Error('given up before it was sent'));",
    becomes: ['""'],
    reason: 'nobody is told: the exchange has ended',
  },
  {
    file: 'src/client/exchange/exchange.ts',
    line: 'if (this.#settled) return;',
    becomes: ['false'],
    reason: 'only the first outcome counts anyway; this spares the memory of a second one',
  },
  {
    file: 'src/client/exchange/exchange.ts',
    line: "this.#controller?.abort(new Error('truncated', { cause: reason }));",
    becomes: ['""', '{}'],
    reason: 'nobody is told: the exchange has ended',
  },
  {
    file: 'src/client/exchange/exchange.ts',
    line: "if (answer === undefined) this.fail(new Error('the response had no status'));",
    becomes: ['false', '""'],
    reason: 'undici ends no answer that it did not begin, which the compiler does not know',
  },
  {
    file: 'src/client/transport/exchanger.ts',
    line: 'return remaining < timeout',
    becomes: ['remaining <= timeout'],
    reason: 'where both end at once, either may be named',
  },
  {
    file: 'src/client/transport/exchanger.ts',
    line: 'return [...new Map(all.map(([name, value]) => [name.toLowerCase(), [name, value]])).values()].flat();',
    becomes: ['name.toUpperCase()'],
    reason: 'names that differ in case alone are the same either way',
  },
  {
    file: 'src/client/exchange/json-body.ts',
    line: 'return body.length * mostBytesPerByte <= room || 2 * estimateNeed(body) <= room;',
    becomes: ['false', 'body.length * mostBytesPerByte < room', '2 * estimateNeed(body) < room'],
    reason:
      'what no JSON can need is not estimated, for that takes time; and a byte is nothing to an estimate',
  },
  {
    file: 'src/client/exchange/json-body.ts',
    line: 'return need + body.length * (seen < 0x80 ? 2 : 4);',
    becomes: ['seen <= 0x80'],
    reason: 'no JSON has such bytes alone',
  },
  {
    file: 'src/verbs/api-keys/rotation.ts',
    line: "if (active === undefined || !own || origin?.kind !== 'value' || origin.secret.source.kind !== 'profile') {",
    becomes: ['false'],
    reason: 'settings of a profile are those of the active one, which the compiler does not know',
  },
  {
    file: 'src/verbs/attempts.ts',
    line: 'const under: Promise<void>[] = [];',
    becomes: ['["Stryker was here"]'],
    reason: 'what is no promise is not waited for',
  },
  {
    file: 'src/verbs/attempts.ts',
    line: "return outcome.kind === 'failed' && toReport(outcome.error).code === 'rate_limited';",
    becomes: ['true'],
    reason:
      'the kind is asked for the compiler alone: what was done has no error, and what is unknown has another code',
  },
  {
    file: 'src/verbs/bulk.ts',
    line: 'return notDone.reduce((sum, result) => sum + (this.#counts.get(result) ?? 0), 0);',
    becomes: ['sum - (this.#counts.get(result) ?? 0)'],
    reason:
      'only whether the sum is 0 is asked, and a sum of negative numbers is 0 where that of the numbers is',
  },
  {
    file: 'src/profiles/settings/credential.ts',
    line: "if (keyIdOfVariable === undefined || keyId?.source.kind !== 'profile' || keyId.value === keyIdOfVariable)",
    becomes: ['keyId.source'],
    reason: 'every profile has a key ID, so that there is one, which the compiler does not know',
  },
  {
    file: 'src/profiles/settings/credential.ts',
    line: 'if (keyId === undefined || keyId.value === profile.keyId) return;',
    becomes: ['false'],
    reason: 'every profile has a key ID, so that there is one, which the compiler does not know',
  },
  {
    file: 'src/profiles/settings/credential.ts',
    line: 'if (baseUrl === undefined) return;',
    becomes: ['false'],
    reason: 'every profile has a base URL, so that there is one, which the compiler does not know',
  },
  {
    file: 'src/profiles/settings/credential.ts',
    line: 'const own = storedSetting(settings.baseUrl, profile, name)?.value.origin;',
    becomes: ['storedSetting(settings.baseUrl, profile, name).value'],
    reason: 'every profile has a base URL, which the compiler does not know',
  },
  {
    file: 'src/profiles/keyring/keyring.ts',
    line: "const secret = await ask({ ...entry, call: 'read' }, options);",
    becomes: ['""'],
    reason: 'the process reads after every call; it does no more where it is neither to write nor to remove',
  },
  {
    file: 'src/profiles/resolve.ts',
    line: 'if (variable === undefined || !this.#options.env[variable] || this.#passedOver.has(variable)) return;',
    becomes: ['false'],
    reason: 'nothing has the name `undefined` in the environment: it is asked for the compiler alone',
  },
  {
    file: 'src/profiles/secret-command/secret-command.ts',
    line: 'const child = spawn(file, args, { shell, env: { ...options.env }, windowsHide: true });',
    becomes: ['false'],
    reason: 'only Windows opens a window, and these tests do not run there',
  },
  {
    file: 'src/profiles/secret-command/secret-command-line.ts',
    line: "function direct([file = '', ...args]: readonly string[]): Invocation {",
    becomes: ['"Stryker was here!"'],
    reason: 'a command has a first word: the file of profiles is not read otherwise',
  },
  {
    file: 'src/profiles/settings/settings.ts',
    line: `(command) => \`give \${setting.flag?.option}, or correct it in the file whose path \${command} prints\`,`,
    becomes: ['setting.flag.option'],
    reason: 'what a profile stores has a flag, which the compiler does not know',
  },
  {
    file: 'src/signing/basic/basic-scheme.ts',
    line: "return readHeader(headers, 'authorization') ?? '';",
    becomes: ['"Stryker was here!"'],
    reason: 'it is asked only of requests that have the header, which the compiler does not know',
  },
  {
    file: 'src/server/explain/explain-credentials.ts',
    line: `const origins = host === undefined ? [] : [\`\${options.protocol}://\${host}\`];`,
    becomes: ['false'],
    reason:
      'a request without Host is then held against URLs of a host that there is not, which nobody signed',
  },
  {
    file: 'src/server/admission/admission.ts',
    line: "return notAscii.test(target) ? Buffer.from(target, 'latin1') : target;",
    becomes: ['""'],
    reason: "Node's parser refuses such targets; this is for one that would not",
  },
  {
    file: 'src/server/admission/admission.ts',
    line: 'if (admitting !== undefined) await admitting;',
    becomes: ['true'],
    reason: 'to wait for nothing takes a turn more, which is why it is asked',
  },
  {
    file: 'src/signing/mistakes/body-mistakes.ts',
    line: 'return bodies.filter((body) => !body.equals(right.body)).map((body) => ({ ...right, body }));',
    becomes: ['bodies'],
    reason: 'what is signed with the body as it is has been tried before; it is only not tried twice',
  },
  {
    file: 'src/signing/mistakes/explain-mismatch.ts',
    line: 'if (!isDigest(digest)) return undefined;',
    becomes: ['false'],
    reason: 'no attempt has a digest of another length; this only spares making all of them',
  },
  {
    file: 'src/signing/mistakes/explain-mismatch.ts',
    line: "return fits(hex) ? undefined : attemptBehind(hex, thoroughly ? 'any two' : 'quick ones', right, request);",
    becomes: ['""'],
    reason: 'the scope is only held against the two others',
  },
  {
    file: 'src/signing/mistakes/explain-mismatch.ts',
    line: 'for (const second of quick.slice(index + 1)) {',
    becomes: ['quick'],
    reason: 'it finds no less, and takes twice as long: a pair is tried in its other order, too',
  },
  {
    file: 'src/signing/mistakes/explain-mismatch.ts',
    line: 'if (first.aspect !== second.aspect) yield* reproductions([first, second], right, request);',
    becomes: ['true'],
    reason: 'it finds no less, and takes longer: two mistakes are tried that nobody makes together',
  },
  {
    file: 'src/signing/mistakes/json-spellings.ts',
    line: 'if (before !== undefined) return before;',
    becomes: ['false'],
    reason: 'computed again it is the same, and slower',
  },
  {
    file: 'src/signing/mistakes/json-spellings.ts',
    line: 'const everyOrder = keys.length > 3 ? [] : permutations(keys).map((order) => withKeys(value, order));',
    becomes: ['["Stryker was here"]'],
    reason: 'nobody signs that text',
  },
  {
    file: 'src/signing/mistakes/json-spellings.ts',
    line: '} catch {',
    becomes: ['{}'],
    reason: 'a function without `return` returns `undefined` as well',
  },
  {
    file: 'src/signing/mistakes/request-mistakes.ts',
    line: "reproduce: (right) => otherContentTypes(right, listCharsets(right.contentType ?? '')),",
    becomes: ['"Stryker was here!"'],
    reason:
      'the line is left out by another mistake about the content type only, and those are not made together',
  },
  {
    file: 'src/signing/mistakes/request-mistakes.ts',
    line: `return mediaType === '' ? [] : charsets.map((charset) => \`\${mediaType}\${charset}\`);`,
    becomes: ['false', '"Stryker was here!"', '["Stryker was here"]'],
    reason: 'nobody signs a charset without a media type, or that text; it is only not tried',
  },
  {
    file: 'src/signing/mistakes/request-mistakes.ts',
    line: 'return body.byteLength === 0 ? otherContentTypes(right, [contentType, ...jsonTypes]) : [];',
    becomes: ['true'],
    reason: 'with a body the same is tried before, as content-type-not-sent',
  },
  {
    file: 'src/signing/mistakes/signing-attempt.ts',
    line: "export function attemptSize({ key, target, contentType = '', body }: SigningAttempt): number {",
    becomes: ['"Stryker was here!"'],
    reason: 'the size is held against limits of work, for which a few bytes are nothing',
  },
  {
    file: 'src/signing/basic/basic.ts',
    line: "const [, scheme = '', encoded] = /^([^\\s]*)(?: (.*))?$/s.exec(header) ?? [];",
    becomes: ['"Stryker was here!"', '["Stryker was here"]'],
    reason: 'a scheme that is not there is not Basic, whatever stands for it',
  },
  {
    file: 'src/signing/hmac/timestamp.ts',
    line: 'if (header === undefined || !/^(0|[1-9]\\d{0,14})$/.test(header)) return undefined;',
    becomes: ['false'],
    reason: '`undefined` is no digits as text: it is asked for the compiler alone',
  },
  {
    file: 'src/signing/hmac/timestamp.ts',
    line: 'return timestamp !== undefined && withinSkew(timestamp, now, maxSkew);',
    becomes: ['true'],
    reason: '`undefined` is near nothing as a number: it is asked for the compiler alone',
  },
  {
    file: 'src/storage/engine/shared-creations.ts',
    line: 'if (first === undefined) return;',
    becomes: ['false'],
    reason: 'a group is of one at least, which the compiler does not know',
  },
  {
    file: 'src/storage/reading/quotas.ts',
    line: 'return wanted.every(([kind, limit]) => record[kind]?.limit === limit) || undefined;',
    becomes: ['record[kind].limit'],
    reason: 'an organization has a row for each kind that has a limit, which the compiler does not know',
  },
  {
    file: 'src/storage/reading/quotas.ts',
    line: 'organizationIds.length === 1 && first !== undefined',
    becomes: ['false', 'organizationIds.length !== 1', 'first === undefined', 'true'],
    reason:
      'the query that is ready and the one for several answer the same; and one ID has a first, which the compiler does not know',
  },
  {
    file: 'src/signing/hmac/signature.ts',
    line: `if (isEmpty && typeof target === 'string') return Buffer.from(\`\${method}\\n\${target}\\n\${timestamp}\\n\\n\`);`,
    becomes: ['false', '""'],
    reason: 'made of four pieces it is the same, and slower',
  },
  {
    file: 'src/signing/hmac/signature.ts',
    line: "typeof target === 'string' ? Buffer.from(target) : target,",
    becomes: ['true'],
    reason: 'a copy of the bytes is the same bytes',
  },
  {
    file: 'src/signing/hmac/hmac-scheme.ts',
    line: "return { request, signature: readHeader(headers, nameOfSignature) ?? '' };",
    becomes: ['"Stryker was here!"'],
    reason: 'a text that is no signature fits as little as none',
  },
  {
    file: 'src/signing/mistakes/visible-canonical.ts',
    line: 'const isSplit = (line.codePointAt(shownLength - 1) ?? 0) > 0xffff;',
    becomes: ['(line.codePointAt(shownLength - 1) ?? 0) >= 0xffff'],
    reason: 'U+FFFF does not print, and is escaped before',
  },
  {
    file: 'src/signing/mistakes/visible-canonical.ts',
    line: "export function visibleCanonical(request: SignableRequest, secret = ''): string {",
    becomes: ['"Stryker was here!"'],
    reason: 'without a secret there is none to mask, and that text is none',
  },
];

/** A change that tests notice which are not run for each mutant: seen by putting it in. */
export interface NoticedElsewhere extends Omit<NoFault, 'reason'> {
  /** The tests that fail with it. */
  readonly by: string;
}

export const noticedElsewhere: readonly NoticedElsewhere[] = [
  {
    file: 'src/client/exchange/wasm-tier-up.ts',
    line: "const stalls = Number(versions.v8.split('.')[0]) < 12;",
    becomes: ['true', '""', "Number(versions.v8.split('.')[0]) <= 12"],
    by: 'test/client/exchange/wasm-tier-up.test.ts on Node.js 22 and later',
  },
  // Node warns once in a process.
  {
    file: 'src/client/network/proxy.ts',
    line: "typeof connect === 'function' ? { ...options, connect: withoutServerName(connect) } : options,",
    becomes: ['false', "typeof connect !== 'function'"],
    by: 'test/client/network/proxy.test.ts in a process of its own',
  },
  {
    file: 'src/profiles/resolve.ts',
    line: 'return await readKeyring(keyringEntry(origin.profile), { owner, env });',
    becomes: ['{}'],
    by: 'test/commands/profile-keyring-processes.test.ts',
  },
  // Only what servers share is waited for, and only there the answer to a commit can be lost.
  {
    file: 'src/server/admission/admission.ts',
    line: 'if (admitting !== undefined) await admitting;',
    becomes: ['false', 'admitting === undefined'],
    by: 'test/server/rate-limit.test.ts on PostgreSQL',
  },
  {
    file: 'src/server/admission/usage-recorder.ts',
    line: 'this.#timer ??= setTimeout(() => void this.flush(), delay).unref();',
    becomes: ['this.#timer &&= setTimeout(() => void this.flush(), delay).unref()', '() => undefined'],
    by: 'test/server/data.test.ts',
  },
  {
    file: 'src/storage/reading/quotas.ts',
    line: 'isDone: async (database) => {',
    becomes: ['{}'],
    by: 'test/postgres/faults.test.ts',
  },
  {
    file: 'src/storage/reading/quotas.ts',
    // What has `isDone`.
    line: '{',
    becomes: ['{}'],
    by: 'test/postgres/faults.test.ts',
  },
  {
    file: 'src/storage/reading/quotas.ts',
    line: 'return wanted.every(([kind, limit]) => record[kind]?.limit === limit) || undefined;',
    becomes: [
      'true',
      'false',
      'wanted.every(([kind, limit]) => record[kind]?.limit === limit) && undefined',
      'wanted.some(([kind, limit]) => record[kind]?.limit === limit)',
      '() => undefined',
      'record[kind]?.limit !== limit',
    ],
    by: 'test/postgres/faults.test.ts',
  },
];
