import * as z from 'zod/mini';
import type { Answer, Route } from '../../../functions/api.ts';
import { exitCodes, Failure } from '../failure.ts';

/** An older service lacks newer fields; a newer one has states and reasons that this version doesn't know. */
type Lenient<T> = unknown extends T
  ? unknown
  : T extends string
    ? string
    : T extends number
      ? number
      : T extends boolean
        ? boolean
        : T extends readonly (infer Entry)[]
          ? readonly Lenient<Entry>[]
          : T extends object
            ? { readonly [Name in keyof T]?: Lenient<T[Name]> | undefined }
            : T;

type Json<T> = [Extract<T, object>] extends [never] ? T : Extract<T, object>;

export type AnswerOf<R extends Route> = Lenient<Json<Answer<R>>>;

export type EntryOf<R extends Route> =
  AnswerOf<R> extends { readonly data?: readonly (infer Entry)[] | undefined } ? Entry : never;

/** A page of a list, or all of it. */
export type Page<Row> = {
  readonly data?: readonly Row[] | undefined;
  readonly nextCursor?: string | null | undefined;
  /** Epoch milliseconds: how far back a filter has looked. */
  readonly lookedUntil?: number | null | undefined;
  /** How many entries it has looked at, if the list can be searched. */
  readonly looked?: number | undefined;
};

export type ListRoute = {
  readonly [R in Route]: R extends `GET ${string}`
    ? AnswerOf<R> extends { readonly data?: readonly unknown[] | undefined }
      ? R
      : never
    : never;
}[Route];

export type RouteAnswering<Kind> = {
  readonly [R in Route]: Json<Answer<R>> extends Kind ? R : never;
}[Route];

export const unknownAnswer = (what: string): Failure =>
  new Failure(exitCodes.failed, 'unknown_answer', `${what} Use the checkout that was deployed.`);

/**
 * For a field that decides what happens next, is claimed, or is shown only once.
 *
 * @throws Failure `unknown_answer` if it's missing
 */
export function required<T extends object, Name extends keyof T & string>(
  answer: T,
  name: Name,
): Exclude<T[Name], undefined> {
  const value = answer[name];
  if (isPresent(value)) return value;
  throw unknownAnswer(`The service's answer has no "${name}".`);
}

/**
 * For an answer that is compared or written as a whole.
 *
 * @throws Failure `unknown_answer` if it isn't what the schema says
 */
export function whole<Schema extends z.core.$ZodType>(
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const { data, error } = z.safeParse(schema, answer);
  if (error === undefined) return data;
  throw unknownAnswer(`The service's answer has no valid "${error.issues[0]?.path.join('.')}".`);
}

const isPresent = <T>(value: T): value is Exclude<T, undefined> => value !== undefined;

/** All fields may be missing, so any object will do. */
export const isAnswer = <T>(value: unknown): value is T =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
