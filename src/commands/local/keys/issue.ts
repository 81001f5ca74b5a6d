import type { Command } from '@commander-js/extra-typings';
import { apiKeys } from '../../../api/resources/api-key.js';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { ServiceError, withHint } from '../../../errors/errors.js';
import { adviseIfUnwritten, adviseUsingOrDeleting } from '../../../verbs/done-unwritten.js';
import { refuseOrganization } from '../../../verbs/local/missing-organization.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';
import { showAnswer } from '../../../verbs/print-answer.js';
import { createdApiKeyView, saveSecretNote } from '../../api-keys/view.js';

export function issue(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Issue an API key. Its secret is shown only once; the key counts toward the quota.',
      ),
    )
      .option('--name <name>', 'name of the key; default "control"')
      .option('--organization <id>', 'organization of the key; default the first one'),
    [
      ['orgctl local keys issue --name ci', 'prints ID and secret'],
      ['orgctl local keys issue --name ci --organization org_acme', 'for one of several organizations'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async ({ name, organization, ...flags }) => {
    (await context.printer()).check(createdApiKeyView, 'value');
    const issued = await withControl(flags, context, (control) =>
      control.keys.issue({ name, organization }).catch(adviseRoom(organization)).catch(refuseOrganization),
    );
    const advice = adviseUsingOrDeleting(issued.id, ['orgctl', 'local', 'keys', 'revoke']);
    const isShown = await adviseIfUnwritten(showAnswer(issued, createdApiKeyView, context), advice);
    if (isShown) await context.note(saveSecretNote);
  });
}

/** The client's hint is about the service of the profile, not about this server. */
function adviseRoom(organization: string | undefined): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ServiceError) || error.code !== 'quota_exceeded') throw error;
    const limit = `${apiKeys.kind}=${(error.details.quota?.used ?? 0) + 1}`;
    const place = organization === undefined ? [] : ['--organization', organization];
    const raise = ['orgctl', 'local', 'quotas', 'set', limit, ...place];
    throw withHint(error, { hint: 'raise the limit', next: raise });
  };
}
