import type { FaultAnswer } from '../../api/control/control-answers.js';
import type { TypedView } from '../../terminal/output/printer.js';

export const faultView: TypedView<FaultAnswer> = {
  columns: [
    { header: 'RULE', value: 'rule' },
    { header: 'HITS', value: 'hits', align: 'right' },
    { header: 'REMAINING', value: 'remaining', align: 'right' },
  ],
  empty: 'no faults',
};
