import * as z from 'zod/mini';
import {
  type EmailAddress,
  hasControlCharacter,
  parseEmailAddress,
} from '#shared/contacts/email-address';
import {
  faultOfMailbox,
  type Mailbox,
  parseMailbox,
  readableMailbox,
  withoutDisplayName,
} from '#shared/contacts/mailbox';
import { boundedList, cut } from '#shared/errors/bounded';
import { trackingField } from '#shared/organizations/organization-fields';
import { isTagText, tagFilterText } from '#shared/organizations/tag-text';
import { notStored } from '#shared/table/table-attributes';
import {
  headersTakenBySes,
  maxHeaders,
  maxMetadataBytes,
  maxReplyTo,
  maxTags,
  type SendOptions,
  type Tag,
} from '../send-options.ts';

const maxLevels = 30;
/** DynamoDB's smallest positive number. */
const smallest = 1e-130;

/** A JSON object that DynamoDB stores unchanged. */
const metadata = cut(
  maxMetadataBytes,
  z.record(z.string(), z.unknown()).check(
    z.superRefine((given, context) => {
      // The size first: what has more is walked by nothing.
      const fault = faultOfSize(given) ?? faultIn(given, []);
      if (fault !== undefined) context.addIssue({ code: 'custom', ...fault });
    }),
  ),
);

type Fault = { readonly path: string[]; readonly message: string };

function faultIn(value: unknown, path: string[]): Fault | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : notUnicode(path);
  if (typeof value === 'number') return isExact(value) ? undefined : { path, message: inexact };
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length > maxLevels) {
    return { path: [], message: `must not nest deeper than ${maxLevels} levels` };
  }
  for (const [name, inner] of Object.entries(value)) {
    const fault = faultOfName(name, path) ?? faultIn(inner, [...path, name]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfName(name: string, path: string[]): Fault | undefined {
  if (!name.isWellFormed()) return notUnicode(path);
  if (name === '') return { path, message: 'must not have a field without a name' };
  if (name === notStored) return { path, message: `must not have a field named ${notStored}` };
  return undefined;
}

const notUnicode = (path: string[]): Fault => ({ path, message: 'must be well-formed Unicode' });

const isExact = (number: number): boolean =>
  number === 0 || (Math.abs(number) >= smallest && Math.abs(number) <= Number.MAX_SAFE_INTEGER);

const inexact = `must be at most ${Number.MAX_SAFE_INTEGER}, and 0 or at least ${smallest}, either sign: give other numbers as strings`;

const faultOfSize = (given: unknown): Fault | undefined =>
  Buffer.byteLength(JSON.stringify(given)) <= maxMetadataBytes
    ? undefined
    : { path: [], message: `must have at most ${maxMetadataBytes} bytes as JSON` };

/** SES's limit for to, cc and bcc together (SES quotas, "Message quotas"). */
export const maxRecipients = 50;
const maxBodyLength = 2_000_000;

const toEmailAddress = z.transform<string, EmailAddress>((text, context) => {
  const parsed = parseEmailAddress(withoutDisplayName(text));
  if (parsed.ok) return { ...parsed.value, ...nameIn(text) };
  const message = namesSeveral(text) ? oneInEach : faultOfMailbox(text, parsed.reason);
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});

/** A name that emails can't safely show is dropped; the address still gets the email. */
function nameIn(text: string): Pick<EmailAddress, 'name'> {
  const parsed = parseMailbox(text);
  return parsed.ok && parsed.value.name !== undefined ? { name: parsed.value.name } : {};
}

/** Unlike a pattern for it, in linear time: callers aren't known yet. */
const namesSeveral = (text: string): boolean =>
  /[,;]/.test(text.slice(text.indexOf('@'), Math.max(0, text.lastIndexOf('@'))));
const oneInEach = 'must be one address; several are an array of strings';

const emailAddress = z.pipe(z.string(), toEmailAddress);

/** A display name is dropped. */
export const oneEmailAddress = z.pipe(
  emailAddress,
  z.transform(({ address, identity }): EmailAddress => ({ address, identity })),
);

const oneInList = z.pipe(
  z.string(),
  z.transform((text) => [text]),
);

/** `emailAddress` checks the entries and names the faulty one. */
const anyEntry = z.unknown().register(z.globalRegistry, { type: 'string' });

/** The entries are unchecked. */
const oneOrList = (most: number, least = 0) =>
  z.union([oneInList, boundedList(anyEntry, most, least)], {
    error: `must be one address or a list of ${least === 0 ? 'at most' : `${least} to`} ${most}`,
  });

export const emailAddressList = z.pipe(oneOrList(maxRecipients), z.array(emailAddress));

/** The `to` of a send: at least one. A single address's fault has the path `to`; in a list, `to.1`. */
export const toAddresses = z.pipe(
  z.union([z.string(), boundedList(anyEntry, maxRecipients, 1)], {
    error: ({ input }) =>
      input === undefined ? undefined : `must be one address or a list of at most ${maxRecipients}`,
  }),
  z.transform<string | unknown[], readonly [EmailAddress, ...EmailAddress[]]>((given, context) => {
    const isList = Array.isArray(given);
    const parsed = (isList ? given : [given]).map((entry) => z.safeParse(emailAddress, entry));
    for (const [index, { error }] of parsed.entries()) {
      const path = isList ? [index] : [];
      for (const { message } of error?.issues ?? []) {
        context.issues.push({ code: 'custom', message, path, input: given });
      }
    }
    const [first, ...others] = parsed.flatMap(({ data }) => data ?? []);
    return first === undefined ? z.NEVER : [first, ...others];
  }),
);

export const mailbox = z.pipe(
  z.string({ error: 'must be text: name@example.com, or Name <name@example.com>' }),
  z.transform<string, Mailbox>((text, context) => {
    const parsed = parseMailbox(text);
    if (parsed.ok) return parsed.value;
    context.issues.push({ code: 'custom', message: parsed.reason, input: text });
    return z.NEVER;
  }),
);

export const singleLine = (maxLength: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(maxLength),
    z.refine(wellFormed, notWellFormed),
    z.refine((text) => !hasControlCharacter(text), {
      error: 'must not contain control characters or line breaks',
    }),
  );

/** RFC 5322 §2.1.1: a line has at most 998 characters. */
export const maxSubjectLength = 998;

/** UTF-8 can't encode half a surrogate pair. */
const wellFormed = (text: string): boolean => text.isWellFormed();
const notWellFormed = { error: 'must be well-formed Unicode' };

export const bodyText = z
  .string()
  .check(z.minLength(1), z.maxLength(maxBodyLength), z.refine(wellFormed, notWellFormed));

/** Names one email for as long as its send is kept: see `defaultSendRetentionDays`. */
export const idempotencyKeySchema = z
  .string()
  .check(z.regex(/^[\x20-\x7e]{1,255}$/, { error: 'must be 1 to 255 printable ASCII characters' }));

/** SES's limits for names and values (API v2 reference, "MessageHeader"). */
const headerName = /^[!-9;-~]{1,126}$/;
export const maxHeaderValueLength = 870;
const headerValue = new RegExp(`^[ -~]{1,${maxHeaderValueLength}}$`);

/**
 * In lower case, as are the prefixes. Whether `List-Unsubscribe` may be set depends on the policy: `requireOneWayOut`
 * in `check-email.ts`.
 */
const setHeaders = new Set([
  'from',
  'sender',
  'to',
  'cc',
  'bcc',
  'subject',
  'date',
  'message-id',
  'return-path',
  'authentication-results',
  'feedback-id',
  'mime-version',
]);
const setHeaderPrefixes = [
  ...['content-', 'x-ses-', 'arc-', 'received', 'dkim-', 'domainkey-', 'resent-'],
];

/** The service, SES or servers on the way set it. */
const isSetHeader = (lower: string): boolean =>
  setHeaders.has(lower) || setHeaderPrefixes.some((prefix) => lower.startsWith(prefix));

/** For headers accepted under older rules. */
export const withoutSetHeaders = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isSetHeader(name.toLowerCase())));

const headers = cut(
  maxHeaders,
  z.record(z.string(), z.string()).check(
    z.superRefine((given, context) => {
      const refuse = (path: string[], message: string) =>
        context.addIssue({ code: 'custom', path, message });
      const names = Object.keys(given);
      if (names.length > maxHeaders) {
        refuse(
          [],
          `must have at most ${maxHeaders} headers: Amazon SES takes ${headersTakenBySes}, and two are kept`,
        );
      }
      const seen = new Set<string>();
      for (const [name, value] of Object.entries(given)) {
        const fault = faultOfHeader(name, value, seen);
        if (fault !== undefined) refuse([name], fault);
        seen.add(name.toLowerCase());
      }
    }),
  ),
);

function faultOfHeader(name: string, value: string, seen: ReadonlySet<string>): string | undefined {
  const lower = name.toLowerCase();
  if (!headerName.test(name)) {
    return 'must have a name of 1 to 126 printable ASCII characters, without a colon';
  }
  if (name === notStored) return 'is a name that no header may have';
  if (lower === 'reply-to') return 'has a field of its own: replyTo';
  if (isSetHeader(lower)) {
    return 'is set by the service, Amazon SES or servers on the way: leave it out';
  }
  if (seen.has(lower)) return 'is given twice';
  if (headerValue.test(value)) return undefined;
  return `must be 1 to ${maxHeaderValueLength} printable ASCII characters, in one line`;
}

const tagForm = 'must be 1 to 256 letters, digits, _ and -';

const tags = cut(
  maxTags,
  z
    .record(
      z.string().check(z.refine(isTagText)),
      z.string().check(z.refine(isTagText, { error: tagForm })),
      {
        error: ({ code }) =>
          code === 'invalid_key'
            ? `the name ${tagForm}`
            : 'must be an object of names and values, such as {"kind": "reset"}',
      },
    )
    .check(
      z.refine((given) => Object.keys(given).length <= maxTags, {
        error: `must have at most ${maxTags} tags`,
      }),
      z.refine((given) => !Object.hasOwn(given, notStored), {
        error: `must not have a tag named ${notStored}`,
      }),
    ),
);

/** See `send-options.ts`. */
export const optionFields = {
  replyTo: z.optional(
    z.pipe(
      oneOrList(maxReplyTo, 1),
      z.pipe(
        z.array(mailbox),
        z.transform((list) => list.map(readableMailbox)),
      ),
    ),
  ),
  headers: z.optional(headers),
  tags: z.optional(tags),
  metadata: z.optional(metadata),
  tracking: z.optional(trackingField),
} satisfies Record<keyof SendOptions, unknown>;

/** `name:value`, as filters write tags. */
export const tagFilter = z.pipe(
  tagFilterText,
  z.transform((text): Tag => {
    const [name = '', value = ''] = text.split(':');
    return [name, value];
  }),
);
