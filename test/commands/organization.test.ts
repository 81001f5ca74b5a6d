import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService();

it('smoke', async () => {
  const env = service.environment({ APP_DB_PASSWORD: 'hunter2' });
  const file = `version: 1
connections:
  - name: app
    type: postgresql
    config: { host: db, port: 5432, database: app, user: app, password: { env: APP_DB_PASSWORD }, ssl: true }
teams:
  - name: platform
api-keys:
  - name: ci
    secret_to: { file: /tmp/org-ci.secret-${process.pid} }
`;
  for (const args of [['diff','-'],['diff','-','--exit-code','-o','json'],['apply','-','--yes'],['apply','-','--yes'],['diff','-'],['export'],['diff','-','--set-secrets'],['diff','-', '--prune']]) {
    const e = await runCli(args, { env, stdin: args[0]==='export'?'':file });
    console.log(args.join(' '), e.code, '\nOUT', e.stdout, '\nERR', e.stderr);
  }
  const e = await runCli(['diff','-'], { env, stdin: `version: 2
conections: []
connections:
  - name: app
    typ: pg
    config: {host: db, prt: 3, password: hunter2}
  - name: app
  - {name: x, type: mysql, config: {a: {password: xx}}}
  - {}
api-keys:
  - name: zz
    enable: false
` });
    console.log(e.code, e.stderr);
});
