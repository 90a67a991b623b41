import type * as z from 'zod/mini';
import type { Caller, SignedIn } from '#shared/access/authenticate';
import type { Scope, testScopes } from '#shared/access/scopes';
import type { ErrorCode } from '#shared/errors/errors';
import type { CursorOwner } from '#shared/table/cursor';
import type { Lambda, Only } from './lambda.ts';

export const sections = [
  'Emails',
  'Attachments',
  'Sends',
  'Templates',
  'Recipients',
  'Preferences',
  'Suppressions',
  'Webhooks',
  'Usage',
  'Organization',
  'API keys',
  'Console',
  'Operator',
  'Links in emails',
  'Reference',
  'Resend',
  'Postmark',
] as const;
export type Section = (typeof sections)[number];

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** As API Gateway writes a route, for example `GET /api/v1/sends/{id}`. */
export type RouteKey = `${Method} /${string}`;

/** The holder of an API key with this scope, or one of these. */
export type KeyAccess = {
  readonly key: 'required' | 'optional';
  readonly scope?: Scope | readonly Scope[];
  /** A key without scopes is accepted too. */
  readonly orWithoutScopes?: true;
  /** A test key is accepted too. Every other endpoint refuses it, since what it reads or changes is real. */
  readonly takesTestKeys?: true;
  /** The scope that a test key needs instead: it can have only two (`testScopes`). */
  readonly scopeOfTestKeys?: (typeof testScopes)[number];
};

/** If an optional key is presented, it must be valid and have the scope. */
export type Access = 'anybody' | 'session' | 'cron_secret' | 'operator_secret' | KeyAccess;

/** A key needs one of these; empty if any key will do. */
export const scopesOf = ({ scope = [] }: KeyAccess): readonly Scope[] => [scope].flat();

/** Headers that an answer may have, besides those that follow from its status and error codes. */
export type AnswerHeader =
  | 'Content-Disposition'
  | 'ETag'
  | 'Idempotency-Key'
  | 'Idempotency-Replayed'
  | 'Link'
  | 'Location'
  | 'Set-Cookie'
  | 'X-RateLimit-Limit'
  | 'X-RateLimit-Remaining'
  | 'X-RateLimit-Reset'
  | 'RateLimit-Limit'
  | 'RateLimit-Remaining'
  | 'RateLimit-Reset';

export type RequestMediaType =
  | 'application/json'
  | 'application/x-www-form-urlencoded'
  | 'multipart/form-data'
  | 'text/csv'
  | 'application/octet-stream';

/** 422 is Postmark's answer to an email whose recipients are all suppressed. Here that counts as a success. */
export type SuccessStatus = 200 | 201 | 202 | 204 | 302 | 304 | 422;

export type Answer = {
  /** One sentence: what it means. */
  readonly description: string;
  /** Absent where the answer has no body. */
  readonly body?: z.core.$ZodType;
  /** The answer to the example request. Pages and images have none. */
  readonly example?: unknown;
  readonly headers?: readonly AnswerHeader[];
};

/** An example of the request, as a caller writes it. */
export type RequestExample = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export type ErrorForm = 'resend' | 'postmark';

/** What the reference says of an endpoint, in plain text with `code` between backticks and `- ` for lists. */
export type Words = {
  readonly section: Section;
  /** What it does, as an imperative of a few words without a full stop. */
  readonly summary: string;
  /** What a caller must know that neither the schemas nor the errors say. */
  readonly description: string;
  /** What fields of parameters, body and answer mean, by name (`url`) or path (`attempts.at`); else the glossary says. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Needed where the request has parameters or a body. */
  readonly example?: RequestExample;
};

/** Everything about an endpoint, declared once. Gateway, IAM, OpenAPI, `Allow`, clients and generic tests read it. */
export type Endpoint = {
  /** Several if one function answers them all the same way. */
  readonly route: RouteKey | readonly RouteKey[];
  readonly access: Access;
  readonly path?: z.core.$ZodType;
  /** What a path that doesn't match the schema answers, once the caller is known; else `validation_failed`. */
  readonly unmatchedPath?: ErrorCode;
  readonly query?: z.core.$ZodType;
  /** By lower-case name. The headers that carry the caller's key or secret aren't among them. */
  readonly headers?: z.core.$ZodType;
  readonly body?: z.core.$ZodType;
  /** JSON unless said otherwise. */
  readonly accepts?: readonly RequestMediaType[];
  readonly isBodyOptional?: true;
  /** By status. 204, 302 and 304 have no body. */
  readonly answers: Readonly<Partial<Record<SuccessStatus, Answer>>>;
  /** Headers that every answer may have, errors included. */
  readonly answerHeaders?: readonly AnswerHeader[];
  /** The codes that only this endpoint throws. Those of its access, body and parameters follow from the rest. */
  readonly errors?: readonly ErrorCode[];
  /** Errors take the form of another service's API, for programs written for it. Default: problem details. */
  readonly errorForm?: ErrorForm;
  /** People open it: browsers get errors as pages, programs as problems. */
  readonly isForPeople?: true;
  /**
   * Makes a change that the audit keeps, so it counts towards the organization's daily changes. Ending access (revoking
   * a key, signing out) never counts, so a thief who uses up the day can still be locked out; nor does canceling a
   * send, which happens once.
   */
  readonly isLimited?: true;
  /** The endpoint may still change. */
  readonly isBeta?: true;
  readonly lambda: Lambda;
  readonly words: Words;
};

export type EndpointWithProblems = Endpoint & { readonly errorForm?: never };

export const defineEndpoint = <const Declared extends Endpoint>(
  endpoint: Declared &
    Only<Declared, Endpoint> & {
      readonly lambda: Only<Declared['lambda'], Lambda>;
      readonly words: Only<Declared['words'], Words>;
    },
): Declared => endpoint;

export type Operator = CursorOwner;

/** Who calls, once admitted. */
export type CallerOf<A extends Access> = A extends { readonly key: 'required' }
  ? Caller
  : A extends { readonly key: 'optional' }
    ? Caller | undefined
    : A extends 'session'
      ? SignedIn
      : A extends 'operator_secret'
        ? Operator
        : undefined;

export type Parts<E extends Endpoint> = {
  readonly [Name in 'path' | 'query' | 'headers' | 'body' as E[Name] extends z.core.$ZodType
    ? Name
    : never]: z.output<Extract<E[Name], z.core.$ZodType>>;
};

/** A request to an endpoint: its caller is admitted, its parts are checked. */
export type RequestTo<E extends Endpoint> = Parts<E> & { readonly caller: CallerOf<E['access']> };

type BodyOf<A> = A extends { readonly body: infer Body extends z.core.$ZodType }
  ? Given<z.input<Body>>
  : undefined;

/** What an operation may return for a body: lists may be read-only. */
type Given<T> = T extends readonly (infer Entry)[]
  ? readonly Given<Entry>[]
  : T extends object
    ? { readonly [Name in keyof T]: Given<T[Name]> }
    : T;

/** The body of the endpoint's answer; nothing if it has none. */
export type AnswerTo<E extends Endpoint> = {
  [Status in keyof E['answers']]: BodyOf<E['answers'][Status]>;
}[keyof E['answers']];

/** An answer with headers, or a status, of its own. */
export class WithHeaders<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  /** Among the endpoint's successes; by default the first. */
  readonly status: number | undefined;

  constructor(body: Body, headers: Readonly<Record<string, string>>, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}
