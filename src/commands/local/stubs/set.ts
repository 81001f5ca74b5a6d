import type { Command } from '@commander-js/extra-typings';
import { stubGrammar } from '../../../api/control/stub-text.js';
import type { Context } from '../../../cli/context.js';
import { withExamples } from '../../../cli/help-text.js';
import { UsageError } from '../../../errors/errors.js';
import { readStubs } from '../../../input/stub-text.js';
import { stubView } from '../../../verbs/local/stub-view.js';
import { withControl, withData } from '../../../verbs/local/with-control.js';

export function set(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(`Replace all stubs; each has the form of serve --stub: ${stubGrammar}.`),
    ).argument('<stubs...>', "such as 'GET /connections=200 @connections.json'"),
    [
      ["orgctl local stubs set 'GET /connections=200 @connections.json'", 'the body from a file'],
      ["orgctl local stubs set 'GET /teams?page=2=500' 'GET /teams=200 []'", 'only one page fails'],
      ["orgctl local stubs set 'POST /api-keys=@answer.yaml'", 'status, headers and body from a file'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (texts, flags) => {
    const stubs = await readStubs(texts, context);
    const printer = await context.printer();
    printer.check(stubView, 'list');
    const setting = withControl(flags, context, (control) => control.stubs.set(stubs));
    await printer.list(await setting.catch(hintGrammar), stubView);
  });
}

/** Moves the grammar from the end of the server's message to the hint. */
function hintGrammar(error: unknown): never {
  const end = `; ${stubGrammar}`;
  if (!(error instanceof UsageError && error.message.endsWith(end))) throw error;
  throw new UsageError(error.message.slice(0, -end.length), { hint: stubGrammar, cause: error });
}
