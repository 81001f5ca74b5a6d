import type { Command } from '@commander-js/extra-typings';
import type { FaultAnswer } from '../../api/control/control-answers.js';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { type LazyCommand, mount } from '../../cli/lazy-command.js';
import type { View } from '../../terminal/output/printer.js';
import { withControl, withData } from '../../verbs/local/with-control.js';

const verbs: readonly LazyCommand[] = [
  { name: 'list', summary: 'list the rules, and how often each was hit', load: async () => list },
  { name: 'set', summary: 'replace all rules', load: async () => set },
  { name: 'clear', summary: 'remove every rule', load: async () => clear },
];

/** `orgctl local faults` */
export function faults(command: Command, context: Context): void {
  withExamples(
    command.description('Show and set the rules that make requests to the server on this machine fail.'),
    [["orgctl local faults set 'GET /quotas=503x2'", 'the next two are answered 503']],
  );
  mount(command, verbs, context);
}

const faultView: View<FaultAnswer> = {
  columns: [
    { header: 'RULE', value: 'rule' },
    { header: 'HITS', value: 'hits', align: 'right' },
    { header: 'REMAINING', value: 'remaining', align: 'right' },
  ],
  empty: 'no faults',
};

function list(command: Command, context: Context): void {
  withExamples(
    withData(command.description('List the rules, how often each was hit, and how often it will be.')),
    [['orgctl local faults list', 'was it hit?']],
    { calls: 'control' },
  ).action(async (flags) => {
    const found = await withControl(flags, context, (control) => control.faults.get());
    await (await context.printer()).list(found, faultView);
  });
}

function set(command: Command, context: Context): void {
  withExamples(
    withData(
      command.description(
        'Replace all fault rules; each has the form of serve --fault: METHOD /path=EFFECT.',
      ),
    ).argument('<rules...>', "such as 'POST /connections=429'"),
    [
      ["orgctl local faults set 'GET /quotas=503x2'", 'the next two are answered 503'],
      ["orgctl local faults set '* *=delay:2s' 'POST *=drop'", 'tried in this order'],
    ],
    { calls: 'control', writes: ['server'] },
  ).action(async (rules, flags) => {
    const found = await withControl(flags, context, (control) => control.faults.set(rules));
    await (await context.printer()).list(found, faultView);
  });
}

function clear(command: Command, context: Context): void {
  withExamples(
    withData(command.description('Remove every rule: requests are served normally.')),
    [['orgctl local faults clear', 'nothing goes wrong any more']],
    { calls: 'control', writes: ['server'] },
  ).action(async (flags) => {
    await withControl(flags, context, (control) => control.faults.clear());
    await context.note('no faults are left');
  });
}
