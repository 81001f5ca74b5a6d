// The least that a proxy must do: node:http in front of node:https. Checks and logs nothing.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent, request } from 'node:https';

const agent = new Agent({ keepAlive: true, ca: readFileSync(process.env.ORGCTL_CA_FILE) });
const server = createServer((incoming, outgoing) => {
  const { method, url, rawHeaders: headers } = incoming;
  const upstream = request(process.env.ORGCTL_BASE_URL + url, { method, agent, headers }, (response) => {
    outgoing.writeHead(response.statusCode, response.rawHeaders);
    response.pipe(outgoing);
  });
  incoming.pipe(upstream);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
