import type { z } from '../schema/schema.js';
import type { CallName } from './calls.js';
import type { controlInputs } from './control.js';
import type { controlAnswers } from './control-answers.js';

type Inputs = typeof controlInputs;
type Answers = typeof controlAnswers;

/** What a caller gives to a call. */
export type CallInput<Name extends CallName> = Name extends keyof Inputs ? z.input<Inputs[Name]> : undefined;

/** The arguments of a call's caller: input, unless there is none, or all of it is optional. */
export type CallArguments<Name extends CallName> = Name extends keyof Inputs
  ? object extends CallInput<Name>
    ? [input?: CallInput<Name>]
    : [input: CallInput<Name>]
  : [];

export type CallAnswer<Name extends CallName> = z.output<Answers[Name]>;

/** An answer as a server makes it: without the fields that only a later version may add. */
type Written<Value> = Value extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : Value extends object
    ? {
        readonly [Key in keyof Value as string extends Key
          ? unknown extends Value[Key]
            ? never
            : Key
          : Key]: Written<Value[Key]>;
      }
    : Value;

export type MadeAnswer<Name extends CallName> =
  undefined extends CallAnswer<Name> ? undefined : Written<CallAnswer<Name>>;
