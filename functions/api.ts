import type * as z from 'zod/mini';
import type { Endpoint } from '#shared/endpoints/endpoint';
import type { endpoints } from './endpoints.ts';

export type { SendOptions } from '#shared/sending/send-options';

type RoutesOf<E extends Endpoint> = E['route'] extends readonly string[]
  ? E['route'][number]
  : Extract<E['route'], string>;

/** As JSON carries it: branded ids are plain text, `undefined` fields are left out, and lists may be read-only. */
type Json<T> = unknown extends T
  ? unknown
  : T extends z.core.$brand
    ? Unbranded<T>
    : T extends readonly (infer Entry)[]
      ? readonly Json<Entry>[]
      : T extends object
        ? { readonly [Name in keyof T]: Json<T[Name]> | UndefinedIfOptional<T, Name> }
        : T;

type Unbranded<T> = T extends string ? string : T extends number ? number : never;

type UndefinedIfOptional<T, Name extends keyof T> =
  object extends Pick<T, Name> ? undefined : never;

type Taken<Schema> = Schema extends z.core.$ZodType ? Json<z.input<Schema>> : never;

/** Optional if all of its fields are. */
type Part<E, Name extends 'path' | 'query' | 'headers'> = E extends {
  readonly [_ in Name]: infer Schema;
}
  ? object extends Taken<Schema>
    ? { readonly [_ in Name]?: Taken<Schema> }
    : { readonly [_ in Name]: Taken<Schema> }
  : { readonly [_ in Name]?: never };

type Body<E> = E extends { readonly body: infer Schema }
  ? E extends { readonly isBodyOptional: true }
    ? { readonly body?: Taken<Schema> }
    : { readonly body: Taken<Schema> }
  : { readonly body?: never };

type Success = 200 | 201 | 202 | 204;
type Successes<Answers> = {
  [Status in Extract<keyof Answers, Success>]: Answers[Status] extends {
    readonly body: infer Schema extends z.core.$ZodType;
  }
    ? Json<z.output<Schema>>
    : undefined;
}[Extract<keyof Answers, Success>];

type Typed<E extends Endpoint> = {
  readonly input: Part<E, 'path'> & Part<E, 'query'> & Part<E, 'headers'> & Body<E>;
  readonly answer: Successes<E['answers']>;
};

type EveryRoute = {
  readonly [Name in keyof typeof endpoints as RoutesOf<(typeof endpoints)[Name]>]: Typed<
    (typeof endpoints)[Name]
  >;
};

/**
 * Each route's input and successful answer, from which the console and the command line take their types: if an
 * endpoint loses a field they use, they no longer compile.
 */
export interface Api extends EveryRoute {}

export type Route = keyof Api;
export type Input<R extends Route> = Api[R]['input'];
export type Answer<R extends Route> = Api[R]['answer'];
