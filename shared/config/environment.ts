import * as z from 'zod/mini';

/** Environment of every function that reads or writes the table. */
export const tableEnvironment = z.object({
  TABLE_NAME: z.string().check(z.minLength(1)),
});

/** Environment of the functions that write webhook deliveries and wake their queue. */
export const outboxEnvironment = z.extend(tableEnvironment, {
  WEBHOOK_QUEUE_URL: z.url(),
});

/** Environment of the functions that sign or check the tokens in mails. */
export const tokenEnvironment = z.extend(tableEnvironment, {
  TOKEN_SIGNING_SECRET_ID: z.string().check(z.minLength(1)),
});

/** Environment of the functions behind the links in mails. */
export const contactEnvironment = z.extend(tokenEnvironment, outboxEnvironment.shape);

/** Environment of the functions that take attachments. */
export const attachmentEnvironment = z.object({
  ATTACHMENTS_MAX_COUNT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(99)), 5),
  /** Of all attachments of an email, decoded; a megabyte is 1024 × 1024 bytes. */
  ATTACHMENTS_MAX_TOTAL_MB: z._default(z.coerce.number().check(z.positive(), z.lte(25)), 10),
  /** The external service that knows who may attach; without it, the organization's own setting counts. */
  ENTITLEMENTS_URL: z.optional(z.url()),
  /** The secret with its bearer token. */
  ENTITLEMENTS_SECRET_ID: z.optional(z.string().check(z.minLength(1))),
  /** Where attachments are uploaded that are too large for a request. */
  ATTACHMENTS_BUCKET: z.string().check(z.minLength(1)),
  AWS_REGION: z.string().check(z.minLength(1)),
  /** What stands in for S3. */
  AWS_ENDPOINT_URL_S3: z.optional(z.url()),
});

/** Environment of the function that issues upload tickets. */
export const uploadEnvironment = z.extend(tableEnvironment, attachmentEnvironment.shape);

/** Environment of the functions that send email. */
export const sendingEnvironment = z.extend(tokenEnvironment, {
  ...outboxEnvironment.shape,
  ...attachmentEnvironment.shape,
  /** Where people and mail clients reach the service; kept as a browser would write it. */
  PUBLIC_BASE_URL: z.pipe(
    z.url(),
    z.transform((url) => new URL(url).href.replace(/\/+$/, '')),
  ),
  CONFIGURATION_SET_NAME: z.string().check(z.minLength(1)),
  /**
   * How long a send whose outcome is unknown waits for SES's own Send event before the email counts
   * as never accepted. Must exceed the function's timeout: see `shared/sending/send-email.ts`.
   */
  DOUBT_WINDOW_SECONDS: z._default(z.coerce.number().check(z.positive()), 300),
  IDEMPOTENCY_RETENTION_DAYS: z._default(z.coerce.number().check(z.int(), z.positive()), 30),
  /** One call to SES is abandoned, its outcome unknown, after this long. */
  PROVIDER_CALL_TIMEOUT_MS: z._default(z.coerce.number().check(z.int(), z.positive()), 8_000),
  /** While SES throttles, new attempts start only within this time from the first. */
  PROVIDER_RETRY_BUDGET_MS: z._default(z.coerce.number().check(z.int(), z.positive()), 8_000),
});

/** Environment of the provider event intake. */
export const providerEventEnvironment = z.extend(outboxEnvironment, {
  PROVIDER_EVENTS_TOPIC_ARN: z.string().check(z.minLength(1)),
});

/** Environment of the functions that make webhook deliveries. */
export const deliveryEnvironment = z.extend(tableEnvironment, {
  WEBHOOK_MAX_ATTEMPTS: z._default(z.coerce.number().check(z.int(), z.positive()), 5),
  /** Well below the lease of an attempt, 30 s. */
  WEBHOOK_TIMEOUT_MS: z._default(
    z.coerce.number().check(z.int(), z.positive(), z.lte(20_000)),
    15_000,
  ),
  /** `true` in the local twin alone: receivers on this machine, without TLS. */
  WEBHOOK_ALLOW_LOOPBACK_HTTP: z._default(z.stringbool(), false),
});

/** Environment of the functions that take a webhook's URL from its owner. */
export const webhookUrlEnvironment = z.pick(deliveryEnvironment, {
  TABLE_NAME: true,
  WEBHOOK_ALLOW_LOOPBACK_HTTP: true,
});

/** Environment of the function that runs the webhook retry queue. */
export const cronEnvironment = z.extend(deliveryEnvironment, {
  CRON_SECRET_ID: z.string().check(z.minLength(1)),
});

/**
 * Parses a function's environment, once, in its `handler.ts`.
 *
 * @throws Error naming each missing or malformed variable, never its value.
 */
export function parseEnvironment<Schema extends z.core.$ZodType>(schema: Schema): z.output<Schema> {
  const parsed = z.safeParse(schema, process.env);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map((issue) => issue.path.join('.'));
  throw new Error(`Missing or malformed environment variables: ${names.join(', ')}`);
}
