import * as z from 'zod/mini';
import { type Attachment, attachmentListSchema } from '#shared/attachments/attachment';
import type { EmailAddress } from '#shared/contacts/email-address';
import { toFieldError } from '#shared/errors/field-error';
import { ServiceError } from '#shared/errors/service-error';
import { defaultPolicyKey } from '#shared/organizations/organization';
import {
  bodyText,
  emailAddress,
  emailAddressList,
  idempotencyKeySchema,
  maxRecipients,
  singleLine,
} from './send-fields.ts';
import {
  asksForTemplate,
  noTemplateFields,
  type TemplateUse,
  templateUseFields,
} from './template-use.ts';

/** RFC 5322 §2.1.1: a line has at most 998 characters. */
export const maxSubjectLength = 998;

/**
 * Fields of other email APIs that would change what is sent. If they were ignored, the email would not be what
 * the caller means. Any other unknown field is ignored.
 */
const fieldsOfOtherServices = {
  from: 'the organization’s active From identity is used, so it cannot be chosen here',
  replyTo: 'is not supported',
  reply_to: 'is not supported',
  headers: 'is not supported',
  html: 'use htmlContent',
  text: 'use content',
  body: 'use content',
  scheduledAt: 'emails are sent at once; scheduling is not supported',
  scheduled_at: 'emails are sent at once; scheduling is not supported',
} as const;

const envelopeFields = {
  to: emailAddress,
  cc: z._default(emailAddressList, []),
  bcc: z._default(emailAddressList, []),
  attachments: z._default(attachmentListSchema, []),
  policyKey: z._default(z.string().check(z.minLength(1), z.maxLength(64)), defaultPolicyKey),
  idempotencyKey: z.optional(idempotencyKeySchema),
};
type EnvelopeBody = z.output<z.ZodMiniObject<typeof envelopeFields>>;

/** A body with subject and text of its own. */
const sendRequestSchema = z
  .looseObject({
    ...envelopeFields,
    ...noTemplateFields,
    subject: singleLine(maxSubjectLength),
    content: bodyText,
    htmlContent: z.optional(bodyText),
  })
  .check(z.superRefine(checkEnvelope));

/** A body that takes subject and text from a template. */
const templateSendRequestSchema = z
  .looseObject({ ...envelopeFields, ...templateUseFields })
  .check(z.superRefine(checkEnvelope));

function checkEnvelope(body: EnvelopeBody, context: z.core.$RefinementCtx): void {
  for (const [field, hint] of Object.entries(fieldsOfOtherServices)) {
    if (Object.hasOwn(body, field)) {
      context.addIssue({ code: 'custom', path: [field], message: `unknown field: ${hint}` });
    }
  }
  const recipients = 1 + body.cc.length + body.bcc.length;
  if (recipients > maxRecipients) {
    context.addIssue({
      code: 'custom',
      path: ['to'],
      message: `to, cc and bcc together must have at most ${maxRecipients} addresses, not ${recipients}`,
    });
  }
}

/** A send request, checked and normalised. It has no address twice. */
export type SendRequest = {
  readonly to: EmailAddress;
  readonly cc: readonly EmailAddress[];
  readonly bcc: readonly EmailAddress[];
  readonly subject: string;
  readonly content: string;
  readonly htmlContent: string | undefined;
  readonly policyKey: string;
  readonly attachments: readonly Attachment[];
  readonly idempotencyKey: string | undefined;
  /** The template that subject and bodies come from, if the request asks for one. */
  readonly template?: TemplateUse & { readonly missingVariables: readonly string[] };
};

/** A send request whose template is not filled in yet. */
export type TemplateSendRequest = Omit<
  SendRequest,
  'subject' | 'content' | 'htmlContent' | 'template'
> & { readonly template: TemplateUse };

/** The request, or its fault. The fault is told only when the caller is known. */
export type ParsedSendRequest =
  | { readonly ok: true; readonly value: SendRequest | TemplateSendRequest }
  | { readonly ok: false; readonly error: ServiceError };

/**
 * Reads the body and the header `Idempotency-Key`. The header wins over the body's field. An address that
 * stands twice in to, cc and bcc gets one copy, in the first of these places.
 */
export function parseSendRequest(
  body: unknown,
  headerKey: string | undefined,
  { requestSchema, headersSchema } = {
    requestSchema: sendBodySchema,
    headersSchema: sendHeadersSchema,
  },
): ParsedSendRequest {
  const [inOwnWords, byTemplate] = requestSchema.def.options;
  const schema = asksForTemplate(body) ? byTemplate : inOwnWords;
  const parsed = schema.safeParse(body, { reportInput: false });
  const key = headersSchema.shape['idempotency-key'].safeParse(headerKey);
  if (!parsed.success || !key.success) {
    const errors = [
      ...(parsed.error?.issues ?? []).map(toFieldError),
      ...(key.error?.issues ?? []).map(({ message }) => ({ path: 'Idempotency-Key', message })),
    ];
    const detail = 'The request is not valid. See errors for each field at fault.';
    return { ok: false, error: new ServiceError('validation_failed', detail, { errors }) };
  }
  const { data: request } = parsed;
  return {
    ok: true,
    value: { ...request, idempotencyKey: key.data ?? request.idempotencyKey },
  };
}

const toSendRequest = z.pipe(
  sendRequestSchema,
  z.transform(
    ({ subject, content, htmlContent, ...body }): SendRequest => ({
      ...toEnvelope(body),
      ...{ subject, content, htmlContent },
    }),
  ),
);

const toTemplateSendRequest = z.pipe(
  templateSendRequestSchema,
  z.transform(
    ({ templateId, variables, ...body }): TemplateSendRequest => ({
      ...toEnvelope(body),
      template: { id: templateId, variables },
    }),
  ),
);

/**
 * The body of send and send-global. `parseSendRequest` picks one of the two, so that the faults which the
 * caller is told are those of the body that was meant.
 */
export const sendBodySchema = z.union([toSendRequest, toTemplateSendRequest]);

/** The headers of send and send-global. */
export const sendHeadersSchema = z.object({ 'idempotency-key': z.optional(idempotencyKeySchema) });

function toEnvelope({ to, policyKey, attachments, idempotencyKey, ...body }: EnvelopeBody) {
  const seen = new Set([to.identity]);
  const cc = withoutSeen(body.cc, seen);
  const bcc = withoutSeen(body.bcc, seen);
  return { to, cc, bcc, policyKey, attachments, idempotencyKey };
}

function withoutSeen(addresses: readonly EmailAddress[], seen: Set<string>): EmailAddress[] {
  return addresses.filter(({ identity }) => {
    const isNew = !seen.has(identity);
    seen.add(identity);
    return isNew;
  });
}
