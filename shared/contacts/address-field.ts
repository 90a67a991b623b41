import * as z from 'zod/mini';
import { parseEmailAddress } from './email-address.ts';

/** A field that holds one bare address; it is answered normalised, as SES gets it. */
export const addressField = z.pipe(
  z.string(),
  z.transform((text, context): string => {
    const parsed = parseEmailAddress(text);
    if (parsed.ok) return parsed.value.address;
    context.issues.push({ code: 'custom', message: parsed.reason, input: text });
    return z.NEVER;
  }),
);
