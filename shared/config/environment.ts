import * as z from 'zod/mini';

/** Environment of every function that reads or writes the table. */
export const tableEnvironment = z.object({
  TABLE_NAME: z.string().check(z.minLength(1)),
});

/** Environment of the functions that ask SES for its own suppression lists. */
export const suppressionListEnvironment = z.extend(tableEnvironment, {
  /** Whether each organization is a tenant of SES, with a list of its own. */
  SES_TENANTS: z._default(z.stringbool(), false),
});

/** Environment of the functions that need to know how long sends are kept. */
export const retentionEnvironment = z.extend(tableEnvironment, {
  /** How long sends and webhook deliveries are kept, and idempotency keys with them. */
  SEND_RETENTION_DAYS: z._default(z.coerce.number().check(z.int(), z.positive()), 90),
});

/** Environment of the functions that write webhook deliveries and wake their queue. */
export const outboxEnvironment = z.extend(retentionEnvironment, {
  WEBHOOK_QUEUE_URL: z.url(),
});

/** Environment of the functions that sign or check the tokens in mails. */
export const tokenEnvironment = z.extend(tableEnvironment, {
  TOKEN_SIGNING_SECRET_ID: z.string().check(z.minLength(1)),
});

/** Environment of the functions behind the links in mails. */
export const contactEnvironment = z.extend(tokenEnvironment, {
  ...outboxEnvironment.shape,
  /** Whether an address alone reads and changes preferences, where the organization has not decided. */
  PREFERENCES_BY_ADDRESS: z._default(z.stringbool(), true),
  /** How many proxies stand in front of API Gateway: see `http/source-address.ts`. */
  PROXIES_IN_FRONT: z._default(z.coerce.number().check(z.int(), z.gte(0)), 0),
});

/** Environment of the provider event intake. */
export const providerEventEnvironment = z.extend(outboxEnvironment, {
  PROVIDER_EVENTS_TOPIC_ARN: z.string().check(z.minLength(1)),
  PROVIDER_EVENT_RETRY_QUEUE_URL: z.url(),
});

/**
 * Parses a function's environment, once, in its `handler.ts`.
 *
 * @throws Error naming each missing or malformed variable, never its value.
 */
export function parseEnvironment<Schema extends z.core.$ZodType>(schema: Schema): z.output<Schema> {
  // What is parsed once is not worth a parser compiled for it.
  const parsed = z.safeParse(schema, process.env, { jitless: true });
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map((issue) => issue.path.join('.'));
  throw new Error(`Missing or malformed environment variables: ${names.join(', ')}`);
}
