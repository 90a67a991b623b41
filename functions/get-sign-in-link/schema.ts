import * as z from 'zod/mini';
import { organizationIdSchema } from '#shared/tokens/resource-id';

/** Body of POST /console/links/look: a link's secret in a URL would end up in logs. */
export const requestSchema = z.strictObject({
  /** The part of a sign-in link after `#`. */
  link: z.string().check(z.minLength(1), z.maxLength(200)),
});

/** Response 200. */
export const responseSchema = z.object({
  organization: z.object({ id: organizationIdSchema, name: z.string() }),
  expiresAt: z.int(),
});
