import { basename } from 'node:path';
import { beforeEach } from 'vitest';

const cut = 'a connection that the service cuts before its response is 502, in the name of the proxy';
const forward = 'the proxy is no forward proxy, and takes no absolute targets';
const codings =
  'the proxy knows no transfer coding but chunked, and says so: 501 (RFC 9112, section 6.1), not 400';

/** Tests whose outcome differs through the proxy on purpose, by file and name, and why. */
const differences: readonly [file: string, name: RegExp, why: string][] = [
  [
    'error-answers',
    /without Host|^what is refused by its head/,
    'the proxy itself refuses a request without Host, by which it tells its clients from web pages',
  ],
  ['faults', /^drop|^a server that closes waits/, cut],
  ['faults', /plain HTTP: false/, 'the test speaks TLS; the clients of the proxy speak plain HTTP'],
  ['faults', /^every fault is in the log/, `${cut}; and the journal has the header Via`],
  [
    'http',
    /HTTP\/1\.0/,
    'it has no Host, by which the proxy tells its clients from web pages; with one it passes',
  ],
  ['request-head', /^has its path signed|^steers nothing|http:/, forward],
  [
    'request-head',
    /^is 400(?: for the control API|: Host)/,
    'two Hosts are refused by the proxy, before the service sees them and can note them',
  ],
  ['request-head', /^are seen to the last/, 'with Via there is one header more than the service takes'],
  ['smuggling', /unknown coding/, codings],
];

beforeEach(({ task, skip }) => {
  const file = basename(task.file.filepath, '.test.ts');
  const found = differences.find(([own, name]) => own === file && name.test(task.name));
  if (found !== undefined) skip(found[2]);
});
