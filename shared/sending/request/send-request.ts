import * as z from 'zod/mini';
import { type Attachment, attachmentListSchema } from '#shared/attachments/attachment';
import type { EmailAddress } from '#shared/contacts/email-address';
import type { ReceivedBody } from '#shared/endpoints/received-body';
import { acrossFields, readFields } from '#shared/errors/field-error';
import { type FieldError, ServiceError, validationFailed } from '#shared/errors/service-error';
import { momentInBody } from '#shared/timing/moment';
import type { SendId } from '#shared/tokens/resource-id';
import {
  bodyText,
  emailAddressList,
  idempotencyKeySchema,
  mailbox,
  maxRecipients,
  maxSubjectLength,
  optionFields,
  singleLine,
  toAddresses,
} from './send-fields.ts';
import {
  asksForTemplate,
  noTemplateFields,
  oneTemplate,
  type TemplateUse,
  templateUseFields,
  type UsedTemplate,
} from './template-use.ts';

/** A smaller number is probably in seconds, and the email would go out at once. */
const earliestMoment = 100_000_000_000;

/** Clocks differ, and requests take their time. What is longer past is a mistake, often of a time zone. */
export const longestPastMinutes = 5;

export const sendMoment = momentInBody.check(
  z.refine((moment) => moment >= earliestMoment, {
    error: 'must be in epoch milliseconds, not in seconds',
  }),
);

/** `queued`: the answer doesn't wait for SES. */
const sendModes = ['synchronous', 'queued'] as const;

const envelopeFields = {
  from: z.optional(mailbox),
  to: toAddresses,
  cc: z._default(emailAddressList, []),
  bcc: z._default(emailAddressList, []),
  attachments: z._default(attachmentListSchema, []),
  policyKey: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  idempotencyKey: z.optional(idempotencyKeySchema),
  sendAt: z.optional(sendMoment),
  mode: z.optional(z.enum(sendModes)),
  ...optionFields,
};
type EnvelopeBody = z.output<z.ZodMiniObject<typeof envelopeFields>>;

const sendRequestSchema = z
  .strictObject({
    ...envelopeFields,
    ...noTemplateFields,
    subject: singleLine(maxSubjectLength),
    content: z.optional(bodyText),
    htmlContent: z.optional(bodyText),
  })
  .check(
    z.superRefine(checkRecipients, { when: canBeCounted }),
    z.refine(({ content, htmlContent }) => content !== undefined || htmlContent !== undefined, {
      error: 'is required unless htmlContent is set',
      path: ['content'],
      ...acrossFields,
    }),
  );

const templateSendRequestSchema = z
  .strictObject({
    ...envelopeFields,
    ...templateUseFields,
    subject: z.optional(singleLine(maxSubjectLength)),
  })
  .check(z.superRefine(checkRecipients, { when: canBeCounted }), oneTemplate);

function checkRecipients({ to, cc, bcc }: EnvelopeBody, context: z.core.$RefinementCtx): void {
  const recipients = to.length + cc.length + bcc.length;
  if (recipients <= maxRecipients) return;
  context.addIssue({
    code: 'custom',
    path: ['to'],
    message: `to, cc and bcc together must have at most ${maxRecipients} addresses, not ${recipients}`,
  });
}

function canBeCounted(payload: z.core.ParsePayload): boolean {
  const lists: Readonly<Record<string, unknown>> = Object(payload.value);
  const isCountable = (name: string) =>
    // Without a valid entry there is no list.
    Array.isArray(lists[name]) &&
    !payload.issues.some(({ path = [] }) => path.length === 1 && path[0] === name);
  return acrossFields.when(payload) && ['to', 'cc', 'bcc'].every(isCountable);
}

/** Checked and normalised, without repeated addresses. */
type Envelope = Omit<EnvelopeBody, 'to' | 'cc' | 'bcc' | 'attachments'> & {
  /** The words of a `sendAt` relative to the request. A retry repeats the words, not the moment. */
  readonly sendAtInWords?: string | undefined;
  /** The send whose kept content is sent again. */
  readonly resendOf?: SendId;
  readonly to: EmailAddress;
  readonly moreTo: readonly EmailAddress[];
  readonly cc: readonly EmailAddress[];
  readonly bcc: readonly EmailAddress[];
  readonly attachments: readonly Attachment[];
};

export type SendRequest = Envelope & {
  readonly subject: string;
  /** Absent if it's to be made from `htmlContent`, which is then present, when the email goes out. */
  readonly content: string | undefined;
  readonly htmlContent: string | undefined;
  readonly template?: { readonly asked: TemplateUse; readonly used: UsedTemplate };
};

export type TemplateSendRequest = Envelope & { readonly template: { readonly asked: TemplateUse } };

export const replyToOf = ({
  replyTo,
  template,
}: Pick<SendRequest, 'replyTo' | 'template'>): string[] | undefined =>
  replyTo ?? (template?.used.replyTo && [...template.used.replyTo]);

/** Workers send it: see `waiting.ts`. */
export const isForLater = ({ sendAt, mode }: Pick<Envelope, 'sendAt' | 'mode'>): boolean =>
  sendAt !== undefined || mode === 'queued';

export const recipientsIn = ({
  to,
  moreTo,
  cc,
  bcc,
}: Pick<Envelope, 'to' | 'moreTo' | 'cc' | 'bcc'>): EmailAddress[] => [
  to,
  ...moreTo,
  ...cc,
  ...bcc,
];

/** The request, or its fault, which is reported only once the caller is known. */
export type ParsedSendRequest =
  | { readonly ok: true; readonly value: SendRequest | TemplateSendRequest }
  | { readonly ok: false; readonly error: ServiceError };

/** Even a body that isn't JSON is a fault that can wait. */
export const readSendRequest = (
  received: ReceivedBody,
  headerKey: string | undefined,
): ParsedSendRequest => (received.ok ? parseSendRequest(received.value, headerKey) : received);

/**
 * Reports all faults of the body and the `Idempotency-Key` header at once. A repeated address gets one copy, in the
 * first of to, cc and bcc.
 */
export function parseSendRequest(body: unknown, headerKey: string | undefined): ParsedSendRequest {
  const [inOwnWords, byTemplate] = sendBodySchema.def.options;
  const isByTemplate = asksForTemplate(body);
  const { data: request, errors: faults } = isByTemplate
    ? readFields(byTemplate, body)
    : // A body without a template may have been meant to name one.
      readFields(inOwnWords, body, { within: sendBodySchema });
  const header = z.safeParse(sendHeadersSchema, { 'idempotency-key': headerKey });
  const errors = [
    ...faults,
    ...(header.error?.issues ?? []).map(({ message }) => ({ path: 'Idempotency-Key', message })),
    ...twoKeysErrors(header.data?.['idempotency-key'], bodyKeyOf(body)),
  ];
  if (request === undefined || errors.length > 0) {
    return { ok: false, error: validationFailed(errors) };
  }
  return { ok: true, value: { ...request, idempotencyKey: headerKey ?? request.idempotencyKey } };
}

/** Picking one of two keys would drop the other, and the email it names. */
function twoKeysErrors(headerKey: string | undefined, bodyKey: unknown): readonly FieldError[] {
  if (headerKey === undefined || bodyKey === undefined || bodyKey === headerKey) return [];
  const message = 'differs from the header Idempotency-Key: send only one, or the same in both';
  return [{ path: 'idempotencyKey', message }];
}

const bodyKeySchema = z.object({ idempotencyKey: z.string() });
const bodyKeyOf = (body: unknown): unknown => z.safeParse(bodyKeySchema, body).data?.idempotencyKey;

const toSendRequest = z.pipe(
  sendRequestSchema,
  z.transform(
    ({ subject, content, htmlContent, ...body }): SendRequest => ({
      ...toEnvelope(body),
      subject,
      content,
      htmlContent,
    }),
  ),
);

const toTemplateSendRequest = z.pipe(
  templateSendRequestSchema,
  z.transform(
    ({
      templateId,
      template,
      templateVersion: version,
      locale,
      variables,
      subject,
      ...body
    }): TemplateSendRequest => ({
      ...toEnvelope(body),
      template: {
        asked: { name: templateId ?? template ?? '', version, locale, variables, subject },
      },
    }),
  ),
);

/** `parseSendRequest` picks the branch that the body meant, so the caller gets the matching faults. */
export const sendBodySchema = z.union([toSendRequest, toTemplateSendRequest]);

export const sendHeadersSchema = z.object({ 'idempotency-key': z.optional(idempotencyKeySchema) });

function toEnvelope({ to: [to, ...others], cc, bcc, ...rest }: EnvelopeBody): Envelope {
  const seen = new Set([to.identity]);
  const moreTo = withoutSeen(others, seen);
  return { ...rest, to, moreTo, cc: withoutSeen(cc, seen), bcc: withoutSeen(bcc, seen) };
}

function withoutSeen(addresses: readonly EmailAddress[], seen: Set<string>): EmailAddress[] {
  return addresses.filter(({ identity }) => {
    const isNew = !seen.has(identity);
    seen.add(identity);
    return isNew;
  });
}

/** A request to another service's API, as one of ours. */
export type TranslatedEmail = {
  readonly request: ParsedSendRequest;
  /** In our fields, as workers read it later; `undefined` if the request is at fault. */
  readonly body: unknown;
};

/** Holds back a fault in the request until the caller is known. */
export function translated<Email extends TranslatedEmail>(
  read: () => Email,
): Email | TranslatedEmail {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError) return { request: { ok: false, error }, body: undefined };
    throw error;
  }
}
