import * as z from 'zod/mini';
import { highestMaxCount } from '#shared/config/environment';
import { type ReceivedBody, requireBody } from '#shared/endpoints/received-body';
import { cut } from '#shared/errors/bounded';
import { readFields } from '#shared/errors/field-error';
import { ForeignNamedError } from '#shared/errors/foreign-names';
import { validationFailed } from '#shared/errors/service-error';
import { given, present, repeats, unsupported } from '#shared/http/given-fields';
import { maxRecipients } from '#shared/sending/request/send-fields';
import {
  parseSendRequest,
  type TranslatedEmail,
  translated,
} from '#shared/sending/request/send-request';
import { maxHeaders, maxTags } from '#shared/sending/send-options';
import { momentInWords, withWordsNamed } from './scheduled-at.ts';

// Resend's fields become ours, and `parseSendRequest` checks addresses, headers and tags.

const addresses = z.union([z.string(), cut(maxRecipients, z.array(z.string()))], {
  error: ({ input }) => (input === undefined ? undefined : 'must be one address or a list of them'),
});

/** PHP prints an empty object as an empty list. */
const headers = cut(
  maxHeaders,
  z.union([z.record(z.string(), z.string()), z.array(z.never())], {
    error: 'must be an object of names and values',
  }),
);

const isIntegers = (given: unknown): given is readonly number[] =>
  Array.isArray(given) && given.every(Number.isInteger);

/** Judged as a whole, because a file has some million bytes. Only the first fault is named. */
const bytes = z
  .pipe(
    z.unknown().register(z.globalRegistry, {
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: 255 },
    }),
    z.transform((given, context): readonly number[] => {
      if (isIntegers(given)) return given;
      context.issues.push({ code: 'custom', message: 'must be a list of bytes', input: given });
      return z.NEVER;
    }),
  )
  .check(
    z.superRefine((list, context) => {
      const place = list.findIndex((byte) => byte < 0 || byte > 255);
      if (place < 0) return;
      const message = Number(list[place]) > 255 ? 'must be at most 255' : 'must be at least 0';
      context.addIssue({ code: 'custom', path: [place], message });
    }),
  );

/** Base64, bytes as Resend's Go client writes them, a Node.js `Buffer` in JSON, or a calendar as plain text. */
const fileContent = z.union(
  [z.string(), bytes, z.object({ type: z.literal('Buffer'), data: bytes })],
  { error: 'must be base64, a list of bytes, or {"type": "Buffer", "data": […]}' },
);

const attachment = z.strictObject({
  content: given(fileContent),
  filename: given(z.string()),
  path: given(z.string()),
  content_type: given(z.string()),
  content_id: given(z.string()),
  /** Its older name. */
  inline_content_id: given(z.string()),
});

export const resendEmailSchema = z.strictObject({
  from: given(z.string()),
  to: addresses,
  cc: given(addresses),
  bcc: given(addresses),
  reply_to: given(addresses),
  subject: given(z.string()),
  html: given(z.string()),
  text: given(z.string()),
  headers: given(headers),
  tags: given(cut(maxTags, z.array(z.strictObject({ name: z.string(), value: z.string() })))),
  attachments: given(cut(highestMaxCount, z.array(attachment))),
  scheduled_at: given(z.string()),
  template: given(
    z.strictObject({ id: z.string(), variables: given(z.record(z.string(), z.unknown())) }),
  ),
  topic_id: unsupported(),
});
type ResendEmail = z.output<typeof resendEmailSchema>;

/**
 * A fault waits until the caller is known.
 *
 * @param key the header `Idempotency-Key`.
 * @param now epoch milliseconds, for moments such as `in 1 min`.
 */
export const readResendEmail = (
  received: ReceivedBody,
  key: string | undefined,
  now: number,
): TranslatedEmail =>
  translated(() => {
    const email = checkedEmail(requireBody(received));
    const { sendAt, ...rest } = toSendBody(email);
    const moment = sendAt === undefined ? undefined : momentInWords(sendAt, now);
    const body = { ...rest, ...(sendAt !== undefined && { sendAt: moment ?? sendAt }) };
    const request = parseSendRequest(body, key);
    if (!request.ok) return { request: { ok: false, error: withWordsNamed(request.error) }, body };
    if (moment === undefined) return { request, body };
    // Each retry of `in 1 min` gives another moment, yet it's the same request.
    return { request: { ok: true, value: { ...request.value, sendAtInWords: sendAt } }, body };
  });

function checkedEmail(body: unknown): ResendEmail {
  const { data, errors: faults } = readFields(resendEmailSchema, body);
  const errors = [...faults, ...(data === undefined ? [] : missingFields(data))];
  if (data !== undefined && errors.length === 0) return data;
  const { code, message } = validationFailed(errors);
  throw new ForeignNamedError(code, message, { errors });
}

/** A template may provide them. */
const missingFields = ({ from, subject, template }: ResendEmail) =>
  Object.entries({ from, subject })
    .filter(([, value]) => value == null && template == null)
    .map(([path]) => ({ path, message: 'is required' }));

function toSendBody({
  reply_to,
  html,
  text,
  headers: ownHeaders,
  tags,
  attachments,
  scheduled_at,
  template,
  topic_id: _,
  ...same
}: ResendEmail) {
  return {
    ...present(same),
    ...present({
      replyTo: Array.isArray(reply_to) && reply_to.length === 0 ? undefined : reply_to,
      htmlContent: html,
      content: text,
      headers: Array.isArray(ownHeaders) ? undefined : ownHeaders,
      tags: tags && tagsByName(tags),
      attachments: attachments?.map(toAttachment),
      template: template?.id,
      variables: template?.variables,
    }),
    sendAt: scheduled_at ?? undefined,
  };
}

/** @throws ForeignNamedError for a repeated name: one of the values would be dropped. */
function tagsByName(tags: readonly { readonly name: string; readonly value: string }[]) {
  const repeated = tags.map(({ name }) => name).findIndex(repeats());
  if (repeated >= 0) {
    const errors = [{ path: `tags.${repeated}.name`, message: 'is given twice' }];
    throw new ForeignNamedError('validation_failed', undefined, { errors });
  }
  return Object.fromEntries(tags.map(({ name, value }) => [name, value]));
}

type ResendAttachment = z.output<typeof attachment>;

const toAttachment = (file: ResendAttachment) =>
  present({
    filename: file.filename,
    contentBase64: file.content && base64Of(file.content),
    url: file.path,
    contentType: file.content_type,
    contentId: file.content_id ?? file.inline_content_id,
  });

/** Laravel writes calendars as text. Base64 has no colon. */
const isCalendar = (content: string): boolean => /^\s*BEGIN:VCALENDAR/i.test(content);

function base64Of(content: z.output<typeof fileContent>): string {
  if (typeof content !== 'string') return Buffer.from(bytesOf(content)).toString('base64');
  return isCalendar(content) ? Buffer.from(content).toString('base64') : content;
}

const bytesOf = (content: Exclude<z.output<typeof fileContent>, string>): readonly number[] =>
  'data' in content ? content.data : content;
