import { createHash } from 'node:crypto';
import type { AddressObject, EmailAddress, ParsedMail } from 'mailparser';
import { fitContentIds } from '#shared/attachments/content-id';
import { contentTypeFault } from '#shared/attachments/content-type';
import { inOneLine } from '#shared/contacts/email-address';
import { readableMailbox } from '#shared/contacts/mailbox';
import { maxHeaderValueLength } from '#shared/sending/request/send-fields';
import { withAsciiDomain } from './recipient.ts';

export type Message = {
  readonly raw: Uint8Array;
  readonly mail: ParsedMail;
  /** From RCPT TO: they get the email, no matter what its headers say. */
  readonly recipients: readonly string[];
};

/** For `POST /api/v1/emails/send`; the service checks its fields. */
export type Request = {
  readonly idempotencyKey: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
};

export type Translation = { readonly ok: true; readonly request: Request } | Refused;
type Refused = { readonly ok: false; readonly code: string; readonly reason: string };

/** Keeps only what the API can express, because the service composes each email itself. */
export function translate(message: Message): Translation {
  const { mail } = message;
  const structure = structureOf(mail);
  if (unalterable.has(structure)) {
    return refused(
      'unalterable_message',
      `${structure} can't be passed on as it is, because the service composes each email again. Send it without signature or encryption.`,
    );
  }
  const senders = addressesIn(mail.from);
  const fromLines = mail.headerLines.filter(({ key }) => key === 'from');
  if (senders.length > 1 || fromLines.length > 1) {
    return refused('several_senders', 'The message has several From addresses. Send it with one.');
  }
  const people = sortRecipients(message);
  if (people === undefined) {
    return refused(
      'no_visible_recipient',
      'There are several recipients, but none in To or Cc. Put one in To, or send each a separate message.',
    );
  }
  const own = ownHeaders(mail, senders[0]);
  if (!own.ok) return own;
  const [from] = senders.map(textOf);
  const replyTo = addressesIn(mail.replyTo).map(textOf);
  const { html, contentIds } = fitContentIds(
    mail.html || '',
    mail.attachments.map(({ cid }) => cid),
    namesByBytes(mail.attachments),
  );
  const [policyKey] = valuesOf(mail, 'x-policy-key');
  const tags = valuesOf(mail, 'x-tag').map(splitTag);
  return {
    ok: true,
    request: {
      idempotencyKey: keyOf(message, people.isPart),
      body: {
        ...(from !== undefined && { from }),
        to: people.to,
        ...(people.cc.length > 0 && { cc: people.cc }),
        ...(people.bcc.length > 0 && { bcc: people.bcc }),
        ...(replyTo.length > 0 && { replyTo }),
        subject: inOneLine(mail.subject ?? '').trim() || '(no subject)',
        ...wordsOf(mail.text, html),
        ...(own.headers.size > 0 && { headers: Object.fromEntries(own.headers) }),
        ...(mail.attachments.length > 0 && { attachments: attachmentsOf(mail, contentIds) }),
        ...(policyKey !== undefined && { policyKey }),
        ...(tags.length > 0 && { tags: Object.fromEntries(tags) }),
      },
    },
  };
}

const refused = (code: string, reason: string): Refused => ({ ok: false, code, reason });

/** Signatures cover bytes that the service doesn't keep. */
const unalterable = new Set([
  'multipart/signed',
  'multipart/encrypted',
  'application/pkcs7-mime',
  'application/x-pkcs7-mime',
]);

const structureOf = ({ headerLines }: ParsedMail): string => {
  const line = headerLines.find(({ key }) => key === 'content-type')?.line ?? '';
  return (/^[^:]*:\s*([^\s;]+)/.exec(line)?.[1] ?? '').toLowerCase();
};

type People = {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  /**
   * Whether other recipients may get the email in separate transactions: To or Cc has more addresses, or none of these.
   */
  readonly isPart: boolean;
};

/**
 * Recipients in no header are blind copies. `undefined` if there are only several of those: an email needs a
 * `to`, which would reveal one of them to the others.
 */
function sortRecipients({ mail, recipients }: Message): People | undefined {
  const left = new Map(
    recipients.map((address) => [identityOf(address), withAsciiDomain(address)]),
  );
  const isPart = [mail.to, mail.cc]
    .flatMap(addressesIn)
    .some(({ address }) => !left.has(identityOf(address)));
  const take = (given: AddressHeader) =>
    addressesIn(given).flatMap(({ name, address }) => {
      const identity = identityOf(address);
      const recipient = left.get(identity);
      left.delete(identity);
      return recipient === undefined ? [] : [textOf({ name, address: recipient })];
    });
  const to = take(mail.to);
  const cc = take(mail.cc);
  const bcc = [...left.values()];
  if (to.length > 0) return { to, cc, bcc, isPart };
  if (cc.length > 0) return { to: cc, cc: [], bcc, isPart };
  return bcc.length === 1 ? { to: bcc, cc: [], bcc: [], isPart: true } : undefined;
}

type AddressHeader = AddressObject | AddressObject[] | undefined;
type Named = { readonly name: string; readonly address: string };

const addressesIn = (given: AddressHeader): readonly Named[] =>
  [given ?? []]
    .flat()
    .flatMap(({ value }) => value)
    .flatMap((entry: EmailAddress) => entry.group ?? [entry])
    .flatMap(({ name, address }) => (address ? [{ name, address }] : []));

const textOf = ({ name, address }: Named): string =>
  readableMailbox({
    name: inOneLine(name).trim() || undefined,
    address: { address: withAsciiDomain(address) },
  });

const identityOf = (address: string): string => withAsciiDomain(address).toLowerCase();

/**
 * Derived from the message, so that a repeated message is one email. Without a `Message-ID`, its bytes identify it if
 * they include a `Date`. Without either, equal messages may be two emails, so there's no key.
 */
function keyOf({ mail, raw, recipients }: Message, isPart: boolean): string | undefined {
  const people = recipients.map(identityOf).toSorted().join();
  const [given] = valuesOf(mail, 'idempotency-key');
  const [messageId] = valuesOf(mail, 'message-id');
  const name = given || messageId?.replace(/^<(.*)>$/, '$1');
  if (!name) return valuesOf(mail, 'date').length === 0 ? undefined : digestOf(people, raw);
  const key = isPart ? `${name}/${digestOf(people).slice(0, 16)}` : name;
  return /^[ -~]{1,255}$/.test(key) ? key : digestOf(key);
}

function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/** An email with only attachments gets a blank line as its text. */
function wordsOf(text: string | undefined, html: string) {
  const words = { ...(text && { content: text }), ...(html && { htmlContent: html }) };
  return text || html ? words : { content: '\n' };
}

/** Many programs generate new IDs for each rendering, but a retry must be the same request. */
function namesByBytes(attachments: ParsedMail['attachments']) {
  const names = new Map<string, number>();
  return (_: string, index: number): string => {
    const name = `image-${digestOf(attachments[index]?.content ?? '').slice(0, 32)}`;
    const number = (names.get(name) ?? 0) + 1;
    names.set(name, number);
    return number === 1 ? name : `${name}-${number}`;
  };
}

function attachmentsOf({ attachments }: ParsedMail, contentIds: readonly (string | undefined)[]) {
  return attachments.map(({ filename = '', contentType, content }, index) => {
    const contentId = contentIds[index];
    const given = fileNameIn(filename);
    // Laravel also generates image names.
    const name = contentId === undefined || given?.includes('.') ? given : undefined;
    const ownName = contentId ?? `attachment-${index + 1}`;
    return {
      filename: name ?? `${ownName}${extensions.get(contentType) ?? ''}`,
      // For example attached emails: only their bytes can be passed on.
      contentType:
        contentTypeFault(contentType) === undefined ? contentType : 'application/octet-stream',
      contentBase64: content.toString('base64'),
      ...(contentId !== undefined && { contentId }),
    };
  });
}

/** Without its path, which receivers must ignore (RFC 2183 §2.3). */
function fileNameIn(path: string): string | undefined {
  const name = inOneLine(path)
    .replace(/^.*[/\\]/, '')
    .trim();
  return /^\.{0,2}$/.test(name) ? undefined : name;
}

const extensions: ReadonlyMap<string, string> = new Map([
  ['message/rfc822', '.eml'],
  ['message/delivery-status', '.txt'],
  ['text/calendar', '.ics'],
  ['image/gif', '.gif'],
  ['image/jpeg', '.jpg'],
  ['image/png', '.png'],
  ['image/svg+xml', '.svg'],
  ['image/webp', '.webp'],
]);

/**
 * Dropped: they have fields in the request, or every mail program sets them. The service refuses the other headers that
 * it or SES sets.
 */
const translated = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'idempotency-key',
  'x-policy-key',
  'x-tag',
  'mime-version',
  'return-path',
  'delivered-to',
  'authentication-results',
]);
const translatedPrefixes = ['content-', 'arc-', 'received', 'dkim-', 'domainkey-'];

type OwnHeaders = { readonly ok: true; readonly headers: ReadonlyMap<string, string> } | Refused;

/** The service rejects headers that it doesn't accept, by name. */
function ownHeaders(mail: ParsedMail, from: Named | undefined): OwnHeaders {
  const headers = new Map<string, string>();
  const seen = new Set<string>();
  for (const { key, line } of mail.headerLines) {
    if (translated.has(key) || translatedPrefixes.some((prefix) => key.startsWith(prefix)))
      continue;
    const text = textInLine(line);
    const value = key === 'references' ? fittingReferences(text) : text;
    // SES refuses empty ones, which mean nothing.
    if (value === '' || (key === 'sender' && isAddressOf(value, from))) continue;
    if (seen.has(key))
      return refused('header_given_twice', `The header ${key} occurs twice. Send it once.`);
    seen.add(key);
    headers.set(line.slice(0, line.indexOf(':')).trim(), value);
  }
  return { ok: true, headers };
}

/** For threading, mail programs need the first and the last references (RFC 5537 §3.4.4). */
function fittingReferences(ids: string): string {
  if (ids.length <= maxHeaderValueLength) return ids;
  const [first = ''] = ids.split(' ', 1);
  const end = ids.slice(first.length - maxHeaderValueLength);
  return end.includes(' ') ? first + end.slice(end.indexOf(' ')) : ids;
}

/** Many programs repeat From as Sender. */
const isAddressOf = (value: string, from: Named | undefined): boolean =>
  from !== undefined &&
  identityOf(/<([^<>]*)>\s*$/.exec(value)?.[1] ?? value) === identityOf(from.address);

const valuesOf = ({ headerLines }: ParsedMail, name: string): readonly string[] =>
  headerLines.filter(({ key }) => key === name).map(({ line }) => textInLine(line));

/** As written, including encoded words, on one line (RFC 5322 §2.2.3). SES refuses tabs. */
const textInLine = (line: string): string =>
  line
    .slice(line.indexOf(':') + 1)
    .replaceAll(/\r?\n(?=[ \t])/g, '')
    .replaceAll('\t', ' ')
    .trim();

function splitTag(text: string): readonly [name: string, value: string] {
  const [name = '', ...value] = text.split(':');
  return [name.trim(), value.join(':').trim()];
}
