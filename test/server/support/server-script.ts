import { startServer } from '../../../src/server/index.js';

// Options as JSON; the error of a start that failed goes out as JSON too.
const options = JSON.parse(process.argv[2] ?? '{}');
try {
  const { url, keyId, secret } = await startServer(options).then((server) => {
    process.once('SIGTERM', () => void server.close());
    return server;
  });
  process.stdout.write(`${JSON.stringify({ url, keyId, secret })}\n`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stdout.write(`${JSON.stringify({ kind: error.name, message: error.message })}\n`);
}
