import * as z from 'zod/mini';
import { type EmailAddress, parseEmailAddress } from './email-address.ts';

export const bareAddress = z.pipe(
  z.string(),
  z.transform((text, context): EmailAddress => {
    const parsed = parseEmailAddress(text);
    if (parsed.ok) return parsed.value;
    context.issues.push({ code: 'custom', message: parsed.reason, input: text });
    return z.NEVER;
  }),
);

/** Normalised to the form SES gets. */
export const addressField = z.pipe(
  bareAddress,
  z.transform(({ address }) => address),
);
