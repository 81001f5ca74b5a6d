/** GETs through `orgctl proxy`. Load, proxy and server share the cores, so compare the CPU time with a bare proxy's. */
import { load, readQuotas } from './load.js';
import { compare } from './measure.js';
import { orgctl, start, startService } from './processes.js';

await using service = await startService();
await using proxy = await start([orgctl, 'proxy', '--port', '0', '-o', 'json'], service.env);
await using least = await start(['bench/bare/proxy.js'], service.env);
const { url }: { url: string } = JSON.parse(proxy.line);

const through = () => load({ ...service, url, pid: proxy.pid }, readQuotas);
const throughLeast = () => load({ ...service, url: least.line, pid: least.pid }, readQuotas);
/** Only the rate: CPU time and memory would be another process's. */
const direct = async () => ({ '/s': (await load(service, readQuotas))['/s'] });
await compare(5, 'GET, proxy', through, 'the service without a proxy', direct);
await compare(5, 'GET, proxy', through, 'a bare proxy', throughLeast);
