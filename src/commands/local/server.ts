import { verb } from '../../cli/command.js';
import { NetworkError } from '../../errors/errors.js';
import { isSameProcess, ownProcessId } from '../../terminal/process/process-system.js';
import { quoteIfNeeded } from '../../text/shell-quote.js';
import { dataOption, serverVerb, untilDone, withServer } from './server-verb.js';

export const key = serverVerb('key', {
  summary: 'print address, first key and its secret, for a .env file',
  description:
    'Print the address and CA file of the server on this machine, and the ID and secret of its first enabled key, as lines for a .env file.',
  examples: [
    ['orgctl local key --yes > .env', 'for a client that reads a .env file'],
    ['orgctl local key --yes --query ORGCTL_SECRET -r', 'only the secret, for a pipe'],
  ],
  reads: true,
  asks: true,
  async run({ control, context, name, confirm }) {
    await confirm(`Print the secret of the first enabled key of ${name}?`);
    const { url, caFile } = await control.status();
    const { keyId, secret } = await control.keys.first();
    const variables = {
      ORGCTL_BASE_URL: url,
      ORGCTL_KEY_ID: keyId,
      ORGCTL_SECRET: secret,
      ...(caFile !== undefined && { ORGCTL_CA_FILE: caFile }),
    };
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoteIfNeeded(value)}\n`);
    await (await context.textPrinter()).prose(variables, lines.join(''));
  },
});

export const wait = verb('wait', {
  summary: 'wait until the server answers, and print its address',
  description:
    'Wait until the server on this machine answers, and print its address. Exit 3 if there is none after --deadline (default 2m).',
  options: [dataOption],
  examples: [
    ['orgctl serve & orgctl local wait', 'start it, and continue when it is ready'],
    ['URL=$(orgctl local wait --deadline 10s)', 'wait ten seconds at most'],
  ],
  calls: 'control',
  async run(context, _args, flags) {
    const { url } = await untilDone(context, () => withServer(flags, context, ({ status }) => status()));
    await (await context.textPrinter()).line(url);
  },
});

export const stop = serverVerb('stop', {
  summary: 'stop the server',
  description:
    'Stop the server on this machine, and wait until it has stopped. The server gives requests in flight 5 seconds to finish, except requests that a delay fault still holds.',
  examples: [
    ['orgctl local stop', 'then: orgctl serve, to start it again'],
    [
      'orgctl local stop && orgctl serve rotate-master-key',
      'for commands that need the server to be stopped',
    ],
  ],
  async run({ control, context, address }) {
    const { pid } = await control.status();
    await control.stop();
    await untilDone(context, async () => {
      const answers = await control.status().then(
        () => true,
        () => false,
      );
      if (answers || (pid !== ownProcessId() && isSameProcess(pid, undefined) !== false))
        throw new NetworkError('the server has not stopped yet', { hint: 'it is finishing open requests' });
    });
    await context.note(`the server at ${address.origin} stopped`);
  },
});
