import { createHash, hash } from 'node:crypto';
import type { Attachment, AttachmentContent } from '#shared/attachments/attachment';
import { nothingElse } from '#shared/errors/nothing-else';
import { builtInDefaultPolicyKey } from '#shared/organizations/organization';
import type { SendRequest, TemplateSendRequest } from './request/send-request.ts';
import type { TemplateUse } from './request/template-use.ts';
import type { SendEndpoint } from './send.ts';

/**
 * 132 bits of the SHA-256 over the endpoint and the normalised request: equal exactly when two requests ask for the
 * same. A template counts as the request names it: its text may be edited, and its alias moved, between two tries. A
 * request that names no policy counts as naming the built-in default.
 *
 * Optional fields (`from`, options) count by name, so requests without a new field keep their fingerprint.
 */
export function fingerprintOf(
  endpoint: SendEndpoint,
  request: SendRequest | TemplateSendRequest,
): string {
  const { subject, content, htmlContent, template, ...envelope } = { ...noWords, ...request };
  // A retry may ask for the queue: how an email is handed over doesn't change what it says.
  const {
    to,
    moreTo,
    cc,
    bcc,
    policyKey,
    attachments,
    idempotencyKey: _,
    mode: _mode,
    sendAt,
    sendAtInWords,
    ...options
  } = envelope;
  const others = { ...options, sendAt: sendAtInWords ?? sendAt };
  const addresses = [[to, ...moreTo], cc, bcc].map((list) =>
    list.map(({ address, name }) => (name === undefined ? address : [name, address])),
  );
  const words =
    template === undefined
      ? [subject, content ?? null, htmlContent ?? null]
      : templateWords(template.asked);
  const isPlain = Object.values(others).every((value) => value === undefined);
  const whole = sha256(
    JSON.stringify([
      endpoint,
      addresses,
      ...words,
      policyKey ?? builtInDefaultPolicyKey,
      ...(attachments.length === 0 ? [] : [attachments.map(attachmentFingerprint)]),
      ...(isPlain ? [] : [withSortedKeys(others)]),
    ]),
  );
  return whole.slice(0, 22);
}

const noWords = { subject: undefined, content: undefined, htmlContent: undefined };

function templateWords({ name, version, locale, variables, subject, ...rest }: TemplateUse) {
  nothingElse(rest);
  const choice = [version, locale, subject];
  const isPlain = choice.every((value) => value === undefined);
  return [
    name,
    withSortedKeys(variables),
    ...(isPlain ? [] : [choice.map((value) => value ?? null)]),
  ];
}

/** Equal objects give the same JSON text. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, withSortedKeys(member)]));
}

function attachmentFingerprint(attachment: Attachment) {
  const { filename, contentType, contentId, content, ...rest } = attachment;
  nothingElse(rest);
  const parts = [filename ?? null, contentType ?? null, content.kind, contentFingerprint(content)];
  return contentId === undefined ? parts : [...parts, contentId];
}

/**
 * Base64 text identifies its bytes, and so does an upload's id: uploads never change. A file behind a URL may change; a
 * retry is the same request as long as it names the same URL.
 */
function contentFingerprint(content: AttachmentContent): string {
  switch (content.kind) {
    case 'inline':
      return sha256OfAscii(content.base64);
    case 'upload':
      return content.uploadId;
    case 'url':
      return content.url;
  }
}

const sha256 = (text: string): string => hash('sha256', text, 'base64url');

const pieceLength = 65_536;

/** Hashes piece by piece: a single update would copy what may be megabytes. */
function sha256OfAscii(text: string): string {
  const parts = createHash('sha256');
  for (let start = 0; start < text.length; start += pieceLength) {
    parts.update(text.slice(start, start + pieceLength));
  }
  return parts.digest('base64url');
}
