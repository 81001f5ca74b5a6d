/** Long lists, against a bare client that prints the same rows. A bare server sends them, because `serve` would be slower. */
import { compare } from './measure.js';
import { orgctl, run, start, startService } from './processes.js';

await using service = await startService();
await using pages = await start(['bench/bare/server.js'], { ...service.env, ORGCTL_ITEMS: '100000' });
const env = { ...service.env, ORGCTL_BASE_URL: pages.line };

for (const format of ['jsonl', 'csv', 'table', 'json']) {
  const list = () => run([orgctl, 'connections', 'list', '--all', '-o', format], env);
  const baseline = () => run(['bench/bare/client.js', 'list'], env);
  await compare(5, `list --all -o ${format}`, list, 'bare node:https', baseline);
}
