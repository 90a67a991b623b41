import * as z from 'zod/mini';
import { type Attachment, attachmentListSchema } from '#shared/attachments/attachment';
import type { EmailAddress } from '#shared/contacts/email-address';
import { acrossFields } from '#shared/errors/across-fields';
import { toFieldErrors } from '#shared/errors/field-error';
import { type FieldError, ServiceError, validationFailed } from '#shared/errors/service-error';
import {
  bodyText,
  emailAddressList,
  idempotencyKeySchema,
  maxRecipients,
  oneEmailAddress,
  singleLine,
} from './send-fields.ts';
import {
  asksForTemplate,
  noTemplateFields,
  type TemplateUse,
  templateUseFields,
} from './template-use.ts';

/** RFC 5322 §2.1.1: a line has at most 998 characters. Other limits: `send-fields.ts`. */
export const maxSubjectLength = 998;

const envelopeFields = {
  to: oneEmailAddress,
  cc: z._default(emailAddressList, []),
  bcc: z._default(emailAddressList, []),
  attachments: z._default(attachmentListSchema, []),
  policyKey: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  idempotencyKey: z.optional(idempotencyKeySchema),
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
      error: 'is required, unless there is htmlContent to make the text of',
      path: ['content'],
      ...acrossFields,
    }),
  );

const templateSendRequestSchema = z
  .strictObject({ ...envelopeFields, ...templateUseFields })
  .check(z.superRefine(checkRecipients, { when: canBeCounted }));

function checkRecipients({ cc, bcc }: EnvelopeBody, context: z.core.$RefinementCtx): void {
  const recipients = 1 + cc.length + bcc.length;
  if (recipients <= maxRecipients) return;
  context.addIssue({
    code: 'custom',
    path: ['to'],
    message: `to, cc and bcc together must have at most ${maxRecipients} addresses, not ${recipients}`,
  });
}

/** Whether cc and bcc can be counted, whatever else is wrong with the body. */
function canBeCounted(payload: z.core.ParsePayload): boolean {
  const isList = (name: string) =>
    !payload.issues.some(({ path = [] }) => path.length === 1 && path[0] === name);
  return acrossFields.when(payload) && isList('cc') && isList('bcc');
}

/** A send request, checked and normalised, without repeated addresses. */
export type SendRequest = {
  readonly to: EmailAddress;
  readonly cc: readonly EmailAddress[];
  readonly bcc: readonly EmailAddress[];
  readonly subject: string;
  /** Absent: the text of `htmlContent`, which is then present. Made only when the email goes out. */
  readonly content: string | undefined;
  readonly htmlContent: string | undefined;
  /** Default: the organization's. */
  readonly policyKey: string | undefined;
  readonly attachments: readonly Attachment[];
  readonly idempotencyKey: string | undefined;
  /** The template for subject and bodies, if the request names one. */
  readonly template?: TemplateUse & { readonly missingVariables: readonly string[] };
};

export type TemplateSendRequest = Omit<
  SendRequest,
  'subject' | 'content' | 'htmlContent' | 'template'
> & { readonly template: TemplateUse };

/** The request, or its fault, which is reported only once the caller is known. */
export type ParsedSendRequest =
  | { readonly ok: true; readonly value: SendRequest | TemplateSendRequest }
  | { readonly ok: false; readonly error: ServiceError };

/** Reads a request whose body may not even be JSON: that fault can wait too. */
export function readSendRequest(
  readBody: () => unknown,
  headerKey: string | undefined,
): ParsedSendRequest {
  try {
    return parseSendRequest(readBody(), headerKey);
  } catch (error) {
    if (error instanceof ServiceError) return { ok: false, error };
    throw error;
  }
}

/**
 * Checks body and `Idempotency-Key` header, and names all faults of both at once. An address repeated in to,
 * cc and bcc gets one copy, in the first of these places.
 */
export function parseSendRequest(body: unknown, headerKey: string | undefined): ParsedSendRequest {
  const [inOwnWords, byTemplate] = sendBodySchema.def.options;
  const isByTemplate = asksForTemplate(body);
  const schema = isByTemplate ? byTemplate : inOwnWords;
  const parsed = z.safeParse(schema, body);
  const header = z.safeParse(sendHeadersSchema, { 'idempotency-key': headerKey });
  const errors = [
    // A body in its own words may have meant a template.
    ...toFieldErrors(isByTemplate ? byTemplate : sendBodySchema, parsed.error?.issues ?? []),
    ...(header.error?.issues ?? []).map(({ message }) => ({ path: 'Idempotency-Key', message })),
    ...twoKeysErrors(header.data?.['idempotency-key'], bodyKeyOf(body)),
  ];
  if (!parsed.success || errors.length > 0) {
    return { ok: false, error: validationFailed(errors) };
  }
  const { data: request } = parsed;
  return { ok: true, value: { ...request, idempotencyKey: headerKey ?? request.idempotencyKey } };
}

/** Picking one of two keys would drop the other, and with it the email it names. */
function twoKeysErrors(headerKey: string | undefined, bodyKey: unknown): readonly FieldError[] {
  if (headerKey === undefined || bodyKey === undefined || bodyKey === headerKey) return [];
  const message =
    'is not that of the header Idempotency-Key: give one of them, or the same in both';
  return [{ path: 'idempotencyKey', message }];
}

const bodyKeyOf = (body: unknown): unknown =>
  z.safeParse(z.object({ idempotencyKey: z.string() }), body).data?.idempotencyKey;

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

/** `parseSendRequest` picks one of the two, so the caller gets the faults of the body that was meant. */
export const sendBodySchema = z.union([toSendRequest, toTemplateSendRequest]);

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
