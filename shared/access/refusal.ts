import * as z from 'zod/mini';
import type { FieldError, ServiceError } from '#shared/errors/service-error';
import { digest, numberOfBase32 } from '#shared/tokens/base32';
import { type ApiKeyId, apiKeyIdSchema } from '#shared/tokens/resource-id';
import { looksLikeName } from './field-names.ts';
import { minuteStartOf } from './rate-window.ts';

export const refusalRetentionDays = 30;

/**
 * A key's refused requests in one minute with the same route, code and fields. No bodies or addresses, and only the
 * pattern of the path. Status, fields and message are those of the answer: Resend's callers know Resend's names.
 */
export const refusalSchema = z.object({
  apiKeyId: apiKeyIdSchema,
  /** As API Gateway writes it: `GET /api/v1/contacts/{email}`. */
  route: z.string(),
  status: z.int(),
  /** As stored: a later version may know other codes. */
  code: z.string(),
  /** Paths of the faulty fields, in order, without list positions. */
  fields: z.array(z.string()),
  /** The last one's message, without the request's own values. */
  message: z.string(),
  /** The time of the last one. */
  at: z.int(),
  requestId: z.string(),
  /** Of the last few, in order, as one process saw them. */
  requestIds: z.optional(z.array(z.string())),
  /** Names and types in the last one's body, if the organization keeps them: `body-shape.ts`. */
  shape: z.optional(z.string()),
  /** May be too low for a program in a loop: see `refusal-tally.ts`. */
  count: z.int(),
});
export type Refusal = Readonly<z.infer<typeof refusalSchema>>;

type RefusedRequest = Pick<Refusal, 'apiKeyId' | 'route' | 'requestId'>;

/** An error as the API's callers get it: some APIs have their own statuses and names of fields. */
export type AnsweredError = {
  readonly status: number;
  readonly faults: readonly FieldError[];
};

export const newRefusal = (
  request: RefusedRequest,
  { code, message }: Pick<ServiceError, 'code' | 'message'>,
  { status, faults }: AnsweredError,
  now: number,
): Omit<Refusal, 'count'> => ({
  ...request,
  status,
  code,
  fields: fieldsAmong(faults.map(({ path }) => path)),
  message: messageOf(message, faults),
  at: now,
});

const maxFields = 10;

const fieldsAmong = (paths: readonly string[]): string[] =>
  [...new Set(paths.map(shownPath))].toSorted().slice(0, maxFields);

const listPosition = /^\d{1,4}$/;
const maxNames = 6;

/**
 * Callers name unknown fields, and the name may be anything, even an address, whose dots divide it. Paths that don't
 * look like names aren't kept.
 */
export function shownPath(path: string): string {
  const names = path.split('.').map((name) => (listPosition.test(name) ? '*' : name));
  if (names.some((name) => name !== '*' && !looksLikeName(name))) return '*';
  return names.slice(0, maxNames).join('.');
}

const maxFaults = 3;
const maxCharacters = 300;

function messageOf(detail: string, faults: readonly FieldError[]): string {
  const named = faults
    .slice(0, maxFaults)
    .map(({ path, message }) => `\`${shownPath(path)}\` ${shownWords(message)}`);
  const rest = faults.length - named.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  const text = faults.length === 0 ? shownWords(detail) : [...named, ...more].join('; ');
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
}

const quoted = /"[^"]*"/g;
const quotedName = /^"[A-Za-z_][A-Za-z0-9_-]{0,39}"$/;
/** An address, a host, a URL, an ID, a long number: messages quote the wrong value. */
const mayBeValue = /@|:\/\/|\d{5}|\S{41}|[^\s.]\.[A-Za-z]{2}/;
const ownPath = /^\W*(?:emails|attachments|template|variables)\./;

/** A message without what it may have of the request. Names stay, as in `shownPath`. */
export const shownWords = (message: string): string =>
  message
    .replaceAll(quoted, (text) => (quotedName.test(text) ? text : '…'))
    .split(' ')
    .map((word) => (mayBeValue.test(word) && !ownPath.test(word) ? '…' : word))
    .join(' ');

/** The most kept for one key and minute, whatever a program sends. */
export const placesPerMinute = 32;
const maxTried = 4;

/** A batch that is refused in more ways reports the first ones. */
export const maxKindsOfRequest = 8;

export const kindOf = ({ apiKeyId, route, code, fields }: Omit<Refusal, 'count'>): string =>
  JSON.stringify([apiKeyId, route, code, fields]);

export function placesOf(refusal: Omit<Refusal, 'count'>): number[] {
  const name = `${minuteStartOf(refusal.at)} ${kindOf(refusal)}`;
  const first = numberOfBase32(digest(name, 8));
  return Array.from({ length: maxTried }, (_, step) => (first + step) % placesPerMinute);
}

/** Refusals of console sessions aren't kept: the person sees the answer. */
export type RefusalFilter = {
  readonly apiKeyId?: ApiKeyId | undefined;
  readonly route?: string | undefined;
  readonly code?: string | undefined;
  /** An entry stands for several requests, and knows the last few. */
  readonly requestId?: string | undefined;
};

export const matchesFilter = (
  refusal: Refusal,
  {
    apiKeyId = refusal.apiKeyId,
    route = refusal.route,
    code = refusal.code,
    requestId,
  }: RefusalFilter,
): boolean =>
  refusal.apiKeyId === apiKeyId &&
  refusal.route === route &&
  refusal.code === code &&
  (requestId === undefined || requestIdsOf(refusal).includes(requestId));

const requestIdsOf = ({ requestId, requestIds = [] }: Refusal): readonly string[] => [
  requestId,
  ...requestIds,
];
