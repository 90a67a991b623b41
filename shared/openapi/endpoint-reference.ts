import type { Scope } from '#shared/access/scopes';
import type { ErrorCode } from '#shared/errors/errors';

/** The sections of the reference, in the order in which a newcomer meets them. */
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
] as const;
export type Section = (typeof sections)[number];

/** The holder of an API key, with that scope, or one of those. */
export type KeyAccess = {
  readonly key: 'required' | 'optional';
  readonly scope?: Scope | readonly Scope[];
  /** A key without scopes will do as well. */
  readonly orWithoutScopes?: true;
};

/**
 * Who may call an endpoint: anybody; a browser that is signed in to the console; the holder of one of the deployment's secrets; or the holder of an API
 * key. Where a key is optional, one that is presented must be valid and have the scope.
 */
export type Access = 'anybody' | 'session' | 'cron_secret' | 'operator_secret' | KeyAccess;

/** The scopes of which a key needs one; none where every key will do. */
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
  | 'X-RateLimit-Reset';

export type RequestMediaType =
  | 'application/json'
  | 'application/x-www-form-urlencoded'
  | 'multipart/form-data'
  | 'text/csv'
  | 'application/octet-stream';

/** A success. */
export type Answer = {
  /** One sentence: what it means. */
  readonly description: string;
  /** What answers to the example of the request. Of a page or a picture there is none. */
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

/**
 * What the reference tells of an endpoint beside its schemas. It stands in `functions/<name>/reference.ts`,
 * which no handler imports: none of it is deployed. Texts are plain, with `code` between backticks. An empty
 * line begins a paragraph, and `- ` an entry of a list.
 */
export type EndpointReference = {
  readonly section: Section;
  /** What it does, as an imperative of a few words without a full stop. */
  readonly summary: string;
  /** What a caller must know that neither the schemas nor the errors say. */
  readonly description: string;
  /** The endpoint may still change. */
  readonly isBeta?: true;
  readonly access: Access;
  /** What the fields of parameters, body and answer mean, by name (`url`) or path (`attempts.at`); else the glossary tells. */
  readonly fields?: Readonly<Record<string, string>>;
  /** A person's browser comes here: errors are pages to it, and problems to programs. */
  readonly isForPeople?: true;
  /** A request without a body counts as an empty one. */
  readonly isBodyOptional?: true;
  /** JSON unless told otherwise. */
  readonly accepts?: readonly RequestMediaType[];
  /** Needed where the request has parameters or a body. */
  readonly example?: RequestExample;
  /** By status. 204, 302 and 304 have no body, and every other what `responseSchema` says. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204 | 302 | 304, Answer>>>;
  /** Headers that every answer may have, errors included. */
  readonly headers?: readonly AnswerHeader[];
  /**
   * The codes that only this endpoint's operation throws. Others follow from what is declared: the key and its
   * scope, a secret, a body, a query, and `internal_error`.
   */
  readonly errors?: readonly ErrorCode[];
};
