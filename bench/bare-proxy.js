// The least that a proxy must do: Node's server in front of undici, without request bodies. Checks and logs nothing.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Pool from 'undici/lib/dispatcher/pool.js';

const { ORGCTL_BASE_URL: url, ORGCTL_CA_FILE: caFile } = process.env;
const pool = new Pool(url, { connections: 512, connect: { ca: readFileSync(caFile) } });

const server = createServer((request, response) => {
  const { method, url: path, rawHeaders } = request;
  const chunks = [];
  response.sendDate = false;
  pool.dispatch(
    { method, path, headers: [...rawHeaders] },
    {
      // undici recognizes handlers of this form by this method.
      onRequestStart: () => undefined,
      onResponseStart({ rawHeaders: headers }, status, _headers, reason) {
        response.writeHead(
          status,
          reason,
          headers.map((each) => each.toString('latin1')),
        );
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        response.end(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
      },
      onResponseError() {
        response.destroy();
      },
    },
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit());
