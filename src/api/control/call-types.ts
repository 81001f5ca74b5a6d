import type { z } from '../schema/schema.js';
import type { controlCalls, jsonCalls } from './calls.js';
import type { controlBodies, controlQueries } from './control.js';
import type { controlAnswers, journalCountSchema } from './control-answers.js';

type ControlCalls = typeof controlCalls;
type Queries = typeof controlQueries;
type Bodies = typeof controlBodies;
type ControlAnswers = typeof controlAnswers;

export type ControlCallName = keyof ControlCalls;
export type JsonCallName = keyof typeof jsonCalls;
export type AnsweredCallName = keyof ControlAnswers;

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

type ParameterNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;
type PathParameters<Name extends ControlCallName> = ParameterNames<ControlCalls[Name]['path']>;

type ParametersPart<Name extends ControlCallName> = [PathParameters<Name>] extends [never]
  ? object
  : { readonly params: Readonly<Record<PathParameters<Name>, string>> };
type QueryPart<Name> = Name extends keyof Queries
  ? { readonly query?: Written<z.input<Queries[Name]>> }
  : object;
type BodyPart<Name> = Name extends keyof Bodies
  ? { readonly body: Written<z.input<Bodies[Name]>> }
  : Name extends 'items.create' | 'items.update'
    ? { readonly body: object }
    : object;
type Input<Name extends ControlCallName> = ParametersPart<Name> & QueryPart<Name> & BodyPart<Name>;

export type Schemas<Table> = { readonly [Name in keyof Table]: z.ZodMiniType<z.output<Table[Name]>> };

export type CallArguments = {
  readonly [Name in ControlCallName]: object extends Input<Name>
    ? [input?: Input<Name>]
    : [input: Input<Name>];
};

export type CallAnswers = {
  readonly [Name in ControlCallName]: Name extends AnsweredCallName
    ? z.output<ControlAnswers[Name]>
    : ControlCalls[Name]['status'] extends 204
      ? undefined
      : Name extends JsonCallName
        ? never
        : unknown;
};

type Count<Name> = Name extends 'journal.list' ? z.output<typeof journalCountSchema> : never;

type WrittenAnswer<Name extends JsonCallName> = Written<CallAnswers[Name] | Count<Name>>;

type NoAnswer<Name extends JsonCallName> = ControlCalls[Name]['status'] extends 204 ? Promise<void> : never;

type Handler<Name extends JsonCallName, Given extends unknown[]> = (
  ...given: Given
) => WrittenAnswer<Name> | Promise<WrittenAnswer<Name>> | NoAnswer<Name>;

export type BodyCallName = keyof Bodies;
export type QueryCallName = keyof Queries & JsonCallName;
export type IdCallName = {
  [Name in JsonCallName]: PathParameters<Name> extends never ? never : Name;
}[JsonCallName];
type BareCallName = Exclude<JsonCallName, BodyCallName | QueryCallName | IdCallName>;

export type BodyHandlers = {
  readonly [Name in BodyCallName]: Handler<Name, [body: z.output<Bodies[Name]>]>;
};
export type QueryHandlers = {
  readonly [Name in QueryCallName]: Handler<Name, [query: z.output<Queries[Name]>]>;
};
export type IdHandlers = { readonly [Name in IdCallName]: Handler<Name, [id: string]> };
export type BareHandlers = { readonly [Name in BareCallName]: Handler<Name, []> };

export type Handlers = BodyHandlers & QueryHandlers & IdHandlers & BareHandlers;

/** The handlers of one group of calls; the group `clock` has `clock.get`, `clock.set` and so on. */
export type HandlersIn<Group extends string> = Pick<Handlers, Extract<JsonCallName, `${Group}.${string}`>>;
