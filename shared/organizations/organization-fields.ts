import * as z from 'zod/mini';

// The schemas of what requests may set on an organization.

/** One line of text, without control characters, which could end a header line (RFC 5322 §2.2). */
export const lineOf = (maxLength: number) =>
  z.string().check(
    z.minLength(1),
    z.maxLength(maxLength),
    z.regex(
      /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]*$/u,
      'must not contain control characters or line breaks',
    ),
    z.refine((text) => text.trim() === text, 'must not begin or end with a space'),
  );

export const organizationName = lineOf(100);
