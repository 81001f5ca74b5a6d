import { basename } from 'node:path';
import { beforeEach } from 'vitest';

const hop =
  'the connection to the client is the proxy’s own: only an end of the response ends it, not one to the service';
const cut = 'a connection that the service cuts before its response is 502, in the name of the proxy';
const forward = 'the proxy is no forward proxy, and takes no absolute targets';
const codings = 'the proxy passes no transfer coding but chunked: 501';

/** Tests whose outcome differs through the proxy on purpose, by file and name, and why. */
const differences: readonly [file: string, name: RegExp, why: string][] = [
  [
    'error-answers',
    /without Host|^what is refused by its head/,
    'the proxy itself refuses a request without Host',
  ],
  ['faults', /^drop|^a server that closes waits/, cut],
  ['faults', /plain HTTP: false/, 'the proxy’s clients speak plain HTTP'],
  ['faults', /^every fault is in the log/, `${cut}; and the journal has the header Via`],
  ['http', /body over the limit ends the connection|20,000 characters/, hop],
  ['http', /absolute target/, forward],
  ['http', /HTTP\/1\.0/, 'it has no Host'],
  ['request-head', /^has its path signed|^steers nothing|http:/, forward],
  ['request-head', /^is 400(?: for the control API|: Host)/, 'two Hosts are refused by the proxy'],
  ['request-head', /^are seen to the last/, 'with Via there is one header more than the service takes'],
  ['smuggling', /unknown coding|not last|two lines/, codings],
];

beforeEach(({ task, skip }) => {
  const file = basename(task.file.filepath, '.test.ts');
  const found = differences.find(([own, name]) => own === file && name.test(task.name));
  if (found !== undefined) skip(found[2]);
});
