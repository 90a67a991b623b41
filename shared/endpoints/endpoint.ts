import type * as z from 'zod/mini';
import type { Caller, SignedIn } from '#shared/access/admit-caller';
import type { Scope, testScopes } from '#shared/access/scopes';
import type { Actor } from '#shared/audit/audit-entry';
import type { EnvironmentOf } from '#shared/aws/capability';
import type { ErrorCode } from '#shared/errors/errors';
import type { HttpRequest, RenderError } from '#shared/http/http-endpoint';
import type { HttpResponse } from '#shared/http/http-response';
import type { GivenLimits } from '#shared/organizations/limits-in-force';
import type { CursorOwner } from '#shared/table/cursor';
import type { Table, TableAndClock } from '#shared/table/table-client';
import type { Lambda, Only } from './lambda.ts';
import type { ReceivedBody } from './received-body.ts';

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
  'People',
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
  /** A test key is accepted too. Every other endpoint refuses it, because it reads or changes real data. */
  readonly takesTestKeys?: true;
  /** The scope that a test key needs instead, since it can have only two (`testScopes`). */
  readonly scopeOfTestKeys?: (typeof testScopes)[number];
  /** The scope that people need where any key will do. Only described here, since `unsubscribe` admits its caller. */
  readonly scopeOfPeople?: Scope;
  /** Only the key itself is accepted. Only described here, since `create-sign-in-link` admits its caller. */
  readonly refusesSessions?: true;
  /**
   * A session of the console must have shown its key in the last minutes, since what this makes or hands out outlasts
   * the session. With names, only a request whose body has one of these fields. A key in the request is enough.
   */
  readonly freshSession?: true | readonly string[];
};

/**
 * If an optional key is presented, it must be valid and have the scope. For `cron_secret`, see `DueRequest`. `operator`:
 * the operator secret, or a session of an operator, who must have signed in lately for requests that change something.
 */
export type Access = 'anybody' | 'session' | 'cron_secret' | 'operator' | KeyAccess;

/** A key needs one of these. Empty if any key will do. */
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

type RequestMediaType =
  | 'application/json'
  | 'application/x-www-form-urlencoded'
  | 'multipart/form-data'
  | 'text/csv'
  | 'application/octet-stream';

/** 422 is Postmark's answer to an email whose recipients are all suppressed. Here that counts as a success. */
type SuccessStatus = 200 | 201 | 202 | 204 | 302 | 304 | 422;

export type Answer = {
  /** One sentence: what it means. */
  readonly description: string;
  /** Absent if the answer has no body. */
  readonly body?: z.core.$ZodType;
  /** The answer to the example request. Absent for pages and images. */
  readonly example?: unknown;
  readonly headers?: readonly AnswerHeader[];
};

type RequestExample = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export type ErrorForm = 'resend' | 'postmark';

/** The reference's text about an endpoint, in plain text with `code` between backticks and `- ` for lists. */
export type Words = {
  readonly section: Section;
  /** An imperative of a few words without a full stop. */
  readonly summary: string;
  /** What callers must know besides the schemas and the errors. */
  readonly description: string;
  /**
   * The meaning of fields of parameters, body and answer, by name (`url`) or path (`attempts.at`). The glossary
   * explains the others.
   */
  readonly fields?: Readonly<Record<string, string>>;
  /** Required if the request has parameters or a body. */
  readonly example?: RequestExample;
};

/** Everything about an endpoint, declared once. Gateway, IAM, OpenAPI, `Allow`, clients and generic tests read it. */
export type Endpoint = Equipped & {
  /** Several if one function answers them all the same way. */
  readonly route: RouteKey | readonly RouteKey[];
  readonly access: Access;
  readonly path?: z.core.$ZodType;
  /**
   * The error for a path that doesn't match the schema, once the caller is known. Default: `validation_failed`. Usually
   * the one for what doesn't exist.
   */
  readonly unmatchedPath?: ErrorCode;
  readonly query?: z.core.$ZodType;
  /** By lower-case name, without the headers that carry the caller's key or secret. */
  readonly headers?: z.core.$ZodType;
  readonly body?: z.core.$ZodType;
  /** Default: JSON. */
  readonly accepts?: readonly RequestMediaType[];
  readonly isBodyOptional?: true;
  /** By status: the lowest is the usual one. 204, 302 and 304 have no body. */
  readonly answers: Readonly<Partial<Record<SuccessStatus, Answer>>>;
  /** Headers that every answer may have, errors included. */
  readonly answerHeaders?: readonly AnswerHeader[];
  /**
   * Codes that the rest doesn't imply: those of its access, body and parameters, and `unmatchedPath`, follow from it.
   */
  readonly errors?: readonly ErrorCode[];
  /** The form of another service's API, for programs written for it. Default: problem details. */
  readonly errorForm?: ErrorForm;
  /** People open it, so browsers get errors as pages, and programs get problems. */
  readonly isForPeople?: true;
  /**
   * Makes a change that the audit keeps, so it counts towards the organization's daily changes. Ending access (revoking
   * a key, signing out) never counts, so a thief who uses up the day can still be locked out. Nor does canceling a
   * send, which happens once.
   */
  readonly isLimited?: true;
  /** The endpoint may still change. */
  readonly isBeta?: true;
  /**
   * The operation admits the caller, instead of the server before it. A plain send reads key and data in one round
   * trip; a timeline may need no key; sign-in and sign-out change the key that they admit.
   */
  readonly admitsInOperation?: true;
  /** Draws errors. Default: by `errorForm`, or pages for people. */
  readonly renderError?: RenderError;
  /**
   * What the function's built file contains, as JSON. Its operation gets that instead of the table, the clock and the
   * limits, and makes the response.
   */
  readonly file?: z.ZodMiniType;
  /** As `renderError`, for errors that need the built file. */
  renderErrorFrom?(readFile: () => unknown): RenderError;
  readonly words: Words;
};

/** See `capability`. */
export type Capability<Opened = unknown> = {
  readonly role: Partial<Lambda>;
  // A method, because TypeScript allows methods to take more specific parameters than their type says. Here that's the
  // environment that the role names.
  open(environment: object): Opened;
};

type Open<L extends Lambda, Opened> = (table: Table, environment: EnvironmentOf<L>) => Opened;

/** Opens what an operation uses: one function for all, or one for each part by its name. */
export type Opener<L extends Lambda, Opened> =
  | Open<L, Opened>
  | { readonly [Name in keyof Opened]: Open<L, Opened[Name]> | Capability<Opened[Name]> };

/** An `Opener` of any environment. */
export type Uses =
  | ((table: Table, environment: never) => object)
  | Readonly<Record<string, ((table: Table, environment: never) => unknown) | Capability>>;

export type OpenedBy<F> = F extends { readonly uses: infer U }
  ? U extends (...of: never) => infer All
    ? All
    : {
        readonly [Name in keyof U]: U[Name] extends (...of: never) => infer One
          ? One
          : U[Name] extends Capability
            ? ReturnType<U[Name]['open']>
            : never;
      }
  : object;

/** Refuses fields that an endpoint doesn't have. */
type Checked<E extends Endpoint> = E &
  Only<E, Endpoint> &
  CheckedLambda<E> & {
    readonly words: Only<E['words'], Words>;
    readonly lambda: E extends { readonly file: unknown }
      ? Pick<Required<Lambda>, 'builtFile'>
      : unknown;
  };

/** What a function runs with. */
export type Equipped = {
  /** What it uses besides the table, the clock and the limits, opened once, when the function starts. */
  readonly uses?: Uses;
  readonly lambda: Lambda;
};

/** Refuses permissions that a `Lambda` doesn't have, and openers that need more than the function's environment. */
export type CheckedLambda<F extends Equipped> = {
  readonly lambda: Only<F['lambda'], Lambda>;
  readonly uses?: Opener<F['lambda'], OpenedBy<F>> & KnownRoles<F['uses']>;
};

/** Refuses permissions that a `Lambda` doesn't have. */
type KnownRoles<U> = {
  readonly [Name in keyof U]: U[Name] extends { readonly role: infer Role }
    ? { readonly role: Only<Role, Lambda> }
    : unknown;
};

type Run<E extends Endpoint> = (request: RequestOf<E>, service: ServiceOf<E>) => Returned<E>;

/**
 * An endpoint is one value: everything about it, and what it does. Gateway, roles, reference and types read the same
 * file as its function. Nothing is opened until it's served (`serve.ts` and its neighbours), by an entry that
 * `infra/constructs/lambda-entry.ts` writes.
 */
export function defineEndpoint<const E extends Endpoint>(endpoint: Checked<E>): E;
export function defineEndpoint<const E extends Endpoint, R extends Run<NoInfer<E>>>(
  endpoint: Checked<E>,
  run: R,
): E & { readonly run: R };
/* @__NO_SIDE_EFFECTS__ */
export function defineEndpoint(endpoint: Endpoint, run?: unknown) {
  return run === undefined ? endpoint : { ...endpoint, run };
}

/** A program with the operator secret, or an operator in a session of the console. */
export type Operator = CursorOwner & {
  /** The audit's name for the caller. */
  readonly actor: Actor;
};

export type CallerOf<A extends Access> = A extends { readonly key: 'required' }
  ? Caller
  : A extends { readonly key: 'optional' }
    ? Caller | undefined
    : A extends 'session'
      ? SignedIn
      : A extends 'operator'
        ? Operator
        : undefined;

export type Parts<E extends Endpoint> = {
  readonly [Name in 'path' | 'query' | 'headers' | 'body' as E[Name] extends z.core.$ZodType
    ? Name
    : never]: z.output<Extract<E[Name], z.core.$ZodType>>;
};

export type RequestTo<E extends Endpoint> = Parts<E> & { readonly caller: CallerOf<E['access']> };

/** The request as the operation gets it. */
export type RequestOf<E extends Endpoint> = E extends { readonly isForPeople: true }
  ? PageRequest<E>
  : E extends { readonly admitsInOperation: true }
    ? UnadmittedRequest<E>
    : E extends { readonly access: 'cron_secret' }
      ? DueRequest
      : E extends { readonly file: z.ZodMiniType }
        ? Parameters<E>
        : RequestTo<E> & Surroundings;

/** An endpoint that takes the cron secret is also run by the deployment's own schedule, without an HTTP request. */
export type DueRequest = { readonly caller: 'schedule' | undefined } & Pick<HttpRequest, 'log'>;

export type Surroundings = Pick<HttpRequest, 'log' | 'source'>;

/** A request whose caller isn't known yet. */
export type Unadmitted = HttpRequest & {
  /** The API key or session that is presented, as text. */
  readonly credential: string | undefined;
  /** By IAM, for the key in the path. */
  readonly isAllowedByIam: boolean;
  readonly readBody: () => ReceivedBody;
};
export type UnadmittedRequest<E extends Endpoint> = Unadmitted & {
  readonly readParts: () => Parts<E>;
};

/** A request from a browser, a mail client, or a program that imitates one. */
export type PageRequest<E extends Endpoint> = Parameters<E> &
  Pick<
    HttpRequest,
    'method' | 'headers' | 'route' | 'requestId' | 'log' | 'context' | 'source' | 'linkHost'
  > & {
    readonly credential: string | undefined;
    /** Reads the fields of the form or JSON body, once the caller is known. Default: as much as a page's form has. */
    readonly readFields: (maxBytes?: number) => Promise<URLSearchParams>;
    /** A person reads the answer. Programs get JSON. */
    readonly wantsPage: boolean;
  };

/** All parts of a request but its body. */
export type Parameters<E extends Endpoint> = Omit<Parts<E>, 'body'>;

/** What an operation works with: what every operation gets, and what its function uses. */
export type ServiceOf<F> = F extends { readonly file: infer File extends z.ZodMiniType }
  ? z.output<File>
  : OpenedBy<F> & Service;

/** What every operation gets. */
export type Service = TableAndClock & {
  readonly limitsOfDeployment: GivenLimits;
};

type BodyOf<A> = A extends { readonly body: infer Body extends z.core.$ZodType }
  ? Given<z.input<Body>>
  : undefined;

/** What an operation may return as a body: lists may be read-only. */
type Given<T> = T extends readonly (infer Entry)[]
  ? readonly Given<Entry>[]
  : T extends object
    ? { readonly [Name in keyof T]: Given<T[Name]> }
    : T;

export type AnswerTo<E extends Endpoint> = {
  [Status in keyof E['answers']]: BodyOf<E['answers'][Status]>;
}[keyof E['answers']];

/** What the operation returns: nothing, if the answer has no body. */
type Returned<E extends Endpoint> = E extends
  | { readonly isForPeople: true }
  | { readonly file: unknown }
  ? Promise<HttpResponse>
  :
      | Promise<AnswerTo<E> | WithHeaders<AnswerTo<E>>>
      | (undefined extends AnswerTo<E> ? Promise<void> : never);

/** An answer with its own headers or status. */
export class WithHeaders<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;

  /** One of the endpoint's successes; by default the lowest. */
  readonly status: number | undefined;

  constructor(body: Body, headers: Readonly<Record<string, string>>, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}
