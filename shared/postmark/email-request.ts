import * as z from 'zod/mini';
import { fitContentIds } from '#shared/attachments/content-id';
import { highestMaxCount } from '#shared/config/environment';
import { mailboxesIn } from '#shared/contacts/mailbox';
import { type ReceivedBody, requireBody } from '#shared/endpoints/received-body';
import { cut } from '#shared/errors/bounded';
import { parseFields, readFields } from '#shared/errors/field-error';
import { ForeignNamedError } from '#shared/errors/foreign-names';
import { type FieldError, validationFailed } from '#shared/errors/service-error';
import { given, present, repeats } from '#shared/http/given-fields';
import { batchOf, maxEmails, type ParsedBatch } from '#shared/sending/batch/batch-request';
import {
  parseSendRequest,
  type TranslatedEmail,
  translated,
} from '#shared/sending/request/send-request';
import { maxHeaders, type SendOptions } from '#shared/sending/send-options';
import { postmarkPlaceholder } from '#shared/templates/rendering/template-syntax';
import { tooMany } from './postmark-error.ts';

// Postmark's fields become ours, and `parseSendRequest` checks addresses, headers and tags.

const attachment = z.strictObject({
  Name: z.string(),
  Content: z.string(),
  ContentType: given(z.string()),
  ContentID: given(z.string()),
  ContentId: given(z.string()),
});
type Attachment = z.output<typeof attachment>;

const headersOfOriginal = new Set(['message-id', 'mime-version', 'content-transfer-encoding']);
const maxHeadersRead = maxHeaders + headersOfOriginal.size;

/** PHP prints an empty object as an empty list. */
const objectOf = (error: string) =>
  given(z.union([z.record(z.string(), z.unknown()), cut(0, z.array(z.never()))], { error }));

/** PHP's models write an empty text for none, and 0 for no `TemplateId`. */
const linkTrackings = ['None', 'HtmlAndText', 'HtmlOnly', ''] as const;

const commonFields = {
  From: z.string(),
  To: given(z.string()),
  Cc: given(z.string()),
  Bcc: given(z.string()),
  ReplyTo: given(z.string()),
  Tag: given(z.string()),
  Metadata: objectOf('must be an object of names and values'),
  Headers: given(
    cut(maxHeadersRead, z.array(z.strictObject({ Name: z.string(), Value: z.string() }))),
  ),
  Attachments: given(cut(highestMaxCount, z.array(attachment))),
  TrackOpens: given(z.boolean()),
  TrackLinks: given(z.enum(linkTrackings)),
  MessageStream: given(z.string()),
};

export const postmarkEmailSchema = z.strictObject({
  ...commonFields,
  Subject: given(z.string()),
  HtmlBody: given(z.string()),
  TextBody: given(z.string()),
});

export const postmarkTemplateEmailSchema = z.strictObject({
  ...commonFields,
  TemplateId: given(
    z.union([z.string(), z.literal(0)], {
      error: 'must be the id of a template of this service, such as tpl_…; or give TemplateAlias',
    }),
  ),
  TemplateAlias: given(z.string()),
  TemplateModel: objectOf('must be an object of names and values'),
  InlineCss: given(
    z.literal(false, {
      error: 'is not supported here: set it to false, and inline the styles in the template',
    }),
  ),
});

type CommonFields = z.output<z.ZodMiniObject<typeof commonFields>>;
type OwnWords = Omit<z.output<typeof postmarkEmailSchema>, keyof CommonFields>;
type TemplateWords = Omit<z.output<typeof postmarkTemplateEmailSchema>, keyof CommonFields>;
type PostmarkEmail = CommonFields & Partial<OwnWords & TemplateWords>;

/** As written in the request, because the answer repeats it. */
export type Addressed = Pick<PostmarkEmail, 'To' | 'Cc' | 'Bcc'>;

export type TranslatedPostmarkEmail = TranslatedEmail & { readonly addressed: Addressed };

type EmailSchema = typeof postmarkEmailSchema | typeof postmarkTemplateEmailSchema;

/**
 * A fault waits until the caller is known.
 *
 * @param key the header `Idempotency-Key`, which Postmark doesn't have.
 */
export function readPostmarkEmail(
  schema: EmailSchema,
  received: ReceivedBody,
  key: string | undefined,
): TranslatedPostmarkEmail {
  const email = translated(() => {
    const addressed = checkedEmail(schema, requireBody(received));
    const body = toSendBody(addressed);
    return { request: parseSendRequest(body, key), body, addressed };
  });
  return { addressed: {}, ...email };
}

const anyEmails = z.array(z.unknown()).check(z.minLength(1));

/** A list, and a list within an object. */
export const batchForms = {
  list: { schema: postmarkEmailSchema, listIn: (body: unknown) => parseFields(anyEmails, body) },
  withTemplates: {
    schema: postmarkTemplateEmailSchema,
    listIn: (body: unknown) => parseFields(z.strictObject({ Messages: anyEmails }), body).Messages,
  },
} as const;

export type TranslatedBatch = {
  readonly batch: ParsedBatch;
  readonly emails: readonly TranslatedPostmarkEmail[];
};

export function readPostmarkBatch(
  { schema, listIn }: (typeof batchForms)[keyof typeof batchForms],
  received: ReceivedBody,
  key: string | undefined,
): TranslatedBatch {
  const emails: TranslatedPostmarkEmail[] = [];
  const batch = batchOf(key, () => {
    const list = listIn(requireBody(received));
    if (list.length > maxEmails) throw tooMany(maxEmails);
    emails.push(...list.map((value) => readPostmarkEmail(schema, { ok: true, value }, undefined)));
    return {
      emails: emails.map(({ request }) => request),
      bodies: emails.map(({ body }) => body),
      isStrict: false,
    };
  });
  return { batch, emails };
}

/** @throws ForeignNamedError `validation_failed` */
function checkedEmail(schema: EmailSchema, body: unknown): PostmarkEmail {
  const { data, errors: faults } = readFields(schema, body);
  const errors = [
    ...faults,
    ...(data === undefined ? [] : faultsOf(data, schema === postmarkTemplateEmailSchema)),
  ];
  if (data !== undefined && errors.length === 0) return data;
  const { code, message } = validationFailed(errors);
  throw new ForeignNamedError(code, message, { errors });
}

/** Finds faults that no single field shows. */
function faultsOf(email: PostmarkEmail, isByTemplate: boolean): readonly FieldError[] {
  const To = mailboxesIn(email.To ?? '')[0];
  const required = isByTemplate
    ? { To, TemplateAlias: email.TemplateId || email.TemplateAlias }
    : { To, Subject: email.Subject };
  const missing = Object.entries(required)
    .filter(([, value]) => textIn(value) === undefined)
    .map(([path]) => ({ path, message: 'is required' }));
  const unfilled = (['HtmlBody', 'TextBody'] as const)
    .filter((path) => placeholder.test(email[path] ?? ''))
    .map((path) => ({ path, message: postmarkPlaceholder }));
  return [...missing, ...unfilled, ...faultsOfHeaders(email.Headers ?? [])];
}

/** The recipient would get a link that leads nowhere. */
const placeholder = /\{\{\{\s*pm:/;

type Header = { readonly Name: string; readonly Value: string };

function faultsOfHeaders(headers: readonly Header[]): readonly FieldError[] {
  const names = headers.map(({ Name }) => Name.toLowerCase());
  const isRepeat = repeats();
  return names.flatMap((name, place) => {
    const path = `Headers.${place}.Name`;
    if (name.startsWith('x-pm-')) return { path, message: 'is not supported here: leave it out' };
    // Only the last of them would be sent.
    return isRepeat(name) ? { path, message: 'is given twice' } : [];
  });
}

function toSendBody(email: PostmarkEmail) {
  const { TrackOpens, TrackLinks, TemplateModel } = email;
  const headers = (email.Headers ?? []).filter(
    ({ Name }) => !headersOfOriginal.has(Name.toLowerCase()),
  );
  const tag = textIn(email.Tag);
  return present({
    from: email.From,
    to: addressesIn(email.To),
    cc: addressesIn(email.Cc),
    bcc: addressesIn(email.Bcc),
    replyTo: addressesIn(email.ReplyTo),
    subject: textIn(email.Subject),
    content: textIn(email.TextBody),
    templateId: email.TemplateId || undefined,
    template: textIn(email.TemplateAlias),
    variables: Array.isArray(TemplateModel) ? undefined : TemplateModel,
    headers: filled(Object.fromEntries(headers.map(({ Name, Value }) => [Name, Value]))),
    tags: tag === undefined ? undefined : { [tagName]: tag },
    metadata: Array.isArray(email.Metadata) ? undefined : email.Metadata,
    ...htmlAndFilesOf(email),
    tracking: filled(
      present({
        opens: TrackOpens,
        clicks: TrackLinks ? TrackLinks !== 'None' : undefined,
      }),
    ),
    policyKey: policyOf(textIn(email.MessageStream)),
  });
}

const filled = <Fields extends object>(fields: Fields): Fields | undefined =>
  Object.keys(fields).length === 0 ? undefined : fields;

/** The name of Postmark's only tag. */
export const tagName = 'tag';

/** Clients write an empty text for what they don't have. */
const textIn = (text: string | null | undefined): string | undefined =>
  text == null || text === '' ? undefined : text;

/** A single address's fault has the path `to`; one among several, `to.1`. */
function addressesIn(list: string | null | undefined): string | readonly string[] | undefined {
  const all = mailboxesIn(list ?? '');
  return all.length > 1 ? all : all[0];
}

export const tagOf = ({ tags = {} }: Pick<SendOptions, 'tags'>): string | null =>
  (Object.hasOwn(tags, tagName) ? tags[tagName] : undefined) ?? null;

/** The streams of every Postmark server, and the policies that every organization has. */
const streams = [
  { stream: 'outbound', policy: 'transactional' },
  { stream: 'broadcast', policy: 'bulk' },
] as const;

const policyOf = (given: string | undefined): string | undefined =>
  streams.find(({ stream }) => stream === given)?.policy ?? given;

export const streamOf = ({ policyKey }: { readonly policyKey: string }): string =>
  streams.find(({ policy }) => policy === policyKey)?.stream ?? policyKey;

function htmlAndFilesOf({ Attachments, HtmlBody, TemplateId, TemplateAlias }: PostmarkEmail) {
  const files = Attachments ?? [];
  const isByTemplate = Boolean(TemplateId || TemplateAlias);
  const { html, contentIds } = isByTemplate
    ? { html: HtmlBody, contentIds: files.map(ownIdOf) }
    : fitContentIds(HtmlBody ?? '', files.map(idOf));
  return {
    htmlContent: textIn(html),
    attachments: Attachments?.map(({ Name, Content, ContentType }, index) =>
      present({
        filename: Name,
        contentBase64: Content.replaceAll(/[\r\n]/g, ''),
        contentType: textIn(ContentType),
        contentId: textIn(contentIds[index]),
      }),
    ),
  };
}

const idOf = ({ ContentID, ContentId }: Attachment): string =>
  (ContentID || ContentId || '').replace(/^cid:/i, '');

/**
 * What a template shows is known only once it's rendered. Postmark's client for PHP says `ContentId`, and says the
 * file's name there if it has no ID.
 */
const ownIdOf = (file: Attachment): string | undefined =>
  file.ContentID || file.ContentId !== file.Name ? idOf(file) : undefined;
