import * as z from 'zod/mini';
import { type ReceivedBody, requireBody } from '#shared/endpoints/received-body';
import { boundedList } from '#shared/errors/bounded';
import { parseFields } from '#shared/errors/field-error';
import { invalidField, ServiceError, validationFailed } from '#shared/errors/service-error';
import {
  type ParsedSendRequest,
  parseSendRequest,
  sendBodySchema,
} from '../request/send-request.ts';

export const maxEmails = 100;

/** An email's own key is the batch's with its place appended (`keyAt`), and has at most 255 characters. */
const longestKey = 255 - ':99'.length;

export const emailListOf = <Email extends z.ZodMiniType>(email: Email) =>
  boundedList(email, maxEmails, 1);

const validation = z._default(z.enum(['strict', 'permissive']), 'permissive');

export const batchBodySchema = z.strictObject({ emails: emailListOf(sendBodySchema), validation });

/** Emails are checked one by one, so one invalid email doesn't stop the others. */
const envelopeSchema = z.strictObject(
  { emails: emailListOf(z.unknown()), validation },
  {
    error: ({ code }) =>
      code === 'invalid_type' ? 'must be an object with the list emails' : undefined,
  },
);

export const batchHeadersSchema = z.object({
  'idempotency-key': z.optional(
    z.string().check(
      z.regex(new RegExp(`^[\\x20-\\x7e]{1,${longestKey}}$`), {
        error: `must be 1 to ${longestKey} printable ASCII characters`,
      }),
    ),
  ),
});

type Batch = {
  readonly emails: readonly ParsedSendRequest[];
  readonly bodies: readonly unknown[];
  readonly isStrict: boolean;
};

/** The batch, or its fault, which is reported only once the caller is known. */
export type ParsedBatch =
  | { readonly ok: true; readonly value: Batch }
  | { readonly ok: false; readonly error: ServiceError };

export function readBatch(received: ReceivedBody, batchKey: string | undefined): ParsedBatch {
  return batchOf(batchKey, () => {
    const { emails, validation: mode } = parseFields(envelopeSchema, requireBody(received));
    return { emails: emails.map(parse), bodies: emails, isStrict: mode === 'strict' };
  });
}

/** @param read reads the emails, without their own keys. Whatever it throws is the batch's fault. */
export function batchOf(batchKey: string | undefined, read: () => Batch): ParsedBatch {
  try {
    const batch = read();
    requireKeyInForm(batchKey);
    const keyed = batch.emails.map((email, place) => withKey(email, batchKey, place));
    return { ok: true, value: { ...batch, emails: withoutRepeatedKeys(keyed) } };
  } catch (error) {
    if (error instanceof ServiceError) return { ok: false, error };
    throw error;
  }
}

const parse = (email: unknown): ParsedSendRequest => parseSendRequest(email, undefined);

function requireKeyInForm(batchKey: string | undefined): void {
  const { error } = z.safeParse(batchHeadersSchema, { 'idempotency-key': batchKey });
  if (error === undefined) return;
  throw validationFailed(error.issues.map(({ message }) => ({ path: 'Idempotency-Key', message })));
}

/** The place follows the last colon, so no two emails of any batches share a key. */
export const keyAt = (batchKey: string, place: number): string => `${batchKey}:${place}`;

function withKey(
  email: ParsedSendRequest,
  batchKey: string | undefined,
  place: number,
): ParsedSendRequest {
  if (!email.ok || batchKey === undefined) return email;
  const { idempotencyKey = keyAt(batchKey, place) } = email.value;
  return { ok: true, value: { ...email.value, idempotencyKey } };
}

/** Only one of two emails with the same key can go out. Which one mustn't depend on timing. */
function withoutRepeatedKeys(emails: readonly ParsedSendRequest[]): readonly ParsedSendRequest[] {
  const firstPlaces = new Map<string, number>();
  return emails.map((email, place) => {
    const key = email.ok ? email.value.idempotencyKey : undefined;
    if (key === undefined) return email;
    const first = firstPlaces.get(key);
    if (first === undefined) firstPlaces.set(key, place);
    return first === undefined ? email : { ok: false, error: repeatedKey(first) };
  });
}

const repeatedKey = (first: number): ServiceError =>
  invalidField('idempotencyKey', `duplicates the key of emails.${first}`);
