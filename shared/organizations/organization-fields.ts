import * as z from 'zod/mini';
import { notStored } from '#shared/table/table-attributes';
import { trackingSwitches } from './organization.ts';

/**
 * No control characters, which could end a header line (RFC 5322 §2.2), and none that reverse the direction of
 * writing.
 */
const lineOf = (maxLength: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(maxLength),
    z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u, {
      error: 'must not contain control characters or line breaks',
    }),
    z.refine((text) => text.trim() === text, 'must not begin or end with a space'),
  );

/**
 * What it costs is bounded per email and day. An operator whose plans differ turns it off, or asks an entitlement
 * service.
 */
export const attachmentsByDefault = true;

export const organizationName = lineOf(100);
export const senderName = lineOf(64);
export const categoryName = lineOf(100);

/** Lines end with `\n`. */
export const footerText = z.string().check(
  z.minLength(1),
  z.maxLength(2_000),
  z.regex(/^(?:\n|[^\p{Cc}\p{Cs}])*$/u, {
    error: 'must not contain control characters other than line breaks',
  }),
);

/** People are redirected to this, with a token in the query. */
export const unsubscribePageUrl = z
  .string()
  .check(
    z.maxLength(2_048),
    z.refine(isHttpsUrl, 'must be a URL that begins with https://, without credentials and spaces'),
  );

function isHttpsUrl(text: string): boolean {
  if (/[\s\p{Cc}]/u.test(text) || !text.startsWith('https://')) return false;
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '';
}

/** Appears in paths and requests. */
export const resourceKey = z.string().check(
  z.maxLength(64),
  z.regex(/^[a-z0-9][a-z0-9_-]*$/, {
    error: 'must have lower-case letters, digits, - and _ only, and begin with a letter or digit',
  }),
  z.refine((key) => key !== notStored, { error: `must not be ${notStored}` }),
);

export const trackingField = z.strictObject(trackingSwitches);
