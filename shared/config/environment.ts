import * as z from 'zod/mini';
import { longestCallMs, sesSuppressionChoices } from './stack-facts.ts';

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

const whole = z.int().check(z.positive());

/** Environment of the functions that hold organizations to their limits. */
export const limitsEnvironment = z.extend(tableEnvironment, {
  /** The deployment's own limits as JSON, by name. `shared/organizations/organization-limits.ts` has the others. */
  ORGANIZATION_LIMITS: z._default(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text): unknown => JSON.parse(text)),
      ),
      z.record(z.string(), whole),
    ),
    {},
  ),
});

/** Environment of the functions that only the operator of the deployment may call. */
export const operatorEnvironment = z.extend(tableEnvironment, {
  OPERATOR_SECRET_ID: z.string().check(z.minLength(1)),
});

/** Environment of those that show or set the limits of an organization. */
export const operatorLimitsEnvironment = z.extend(operatorEnvironment, limitsEnvironment.shape);

/** Environment of the functions that know the sessions of the console. */
export const sessionEnvironment = z.object({
  /** `true` in the local twin alone: browsers come without TLS. */
  PLAIN_HTTP_SESSIONS: z._default(z.stringbool(), false),
});

/** Environment of the functions that serve a file which was made together with them. */
export const builtFileEnvironment = z.object({
  BUILT_FILES_FOLDER: z.string().check(z.minLength(1)),
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

/** Environment of the function that attempts the webhook deliveries that are due. */
export const cronEnvironment = z.extend(deliveryEnvironment, {
  CRON_SECRET_ID: z.string().check(z.minLength(1)),
});

/** A deployment may allow so many attachments an email. `shared/attachments/attachment.ts` reads one more. */
export const highestMaxCount = 99;

/** Environment of the functions that take attachments. */
export const attachmentEnvironment = z.object({
  ATTACHMENTS_MAX_COUNT: z._default(
    z.coerce.number().check(z.int(), z.gte(0), z.lte(highestMaxCount)),
    5,
  ),
  /** Of all attachments of an email, decoded; a megabyte is 1024 × 1024 bytes. */
  ATTACHMENTS_MAX_TOTAL_MB: z._default(z.coerce.number().check(z.positive(), z.lte(25)), 10),
  /** The external service that knows who may attach; without it, the organization's own setting counts. */
  ENTITLEMENTS_URL: z.optional(z.url()),
  /** The secret with its bearer token. */
  ENTITLEMENTS_SECRET_ID: z.optional(z.string().check(z.minLength(1))),
  /** Where attachments are uploaded that are too large for a request. */
  ATTACHMENTS_BUCKET_URL: z.url(),
  AWS_REGION: z.string().check(z.minLength(1)),
});

/** Environment of the function that issues upload tickets. */
export const uploadEnvironment = z.extend(limitsEnvironment, attachmentEnvironment.shape);

/** Environment of whatever hands emails to SES. */
export const mailingEnvironment = z.extend(tokenEnvironment, {
  ...outboxEnvironment.shape,
  /** Where people and mail clients reach the service; kept as a browser would write it. */
  PUBLIC_BASE_URL: z.pipe(
    z.url(),
    z.transform((url) => new URL(url).href.replace(/\/+$/, '')),
  ),
  CONFIGURATION_SET_NAME: z.string().check(z.minLength(1)),
  /** Whether each organization is an SES tenant. */
  SES_TENANTS: z._default(z.stringbool(), false),
  /**
   * The doubt window. So long a send whose outcome is unknown waits for SES's own Send event. Then the email
   * counts as never accepted, and a retry may send it. Until then a retry gets 409. It must exceed what an
   * attempt and its call to SES may take: see `shared/sending/send-email.ts`.
   */
  DOUBT_WINDOW_SECONDS: z._default(z.coerce.number().check(z.positive()), 300),
  /** See `longestCallMs`. */
  PROVIDER_CALL_TIMEOUT_MS: z._default(
    z.coerce.number().check(z.int(), z.positive()),
    longestCallMs,
  ),
  /**
   * While SES throttles or cannot be reached, new attempts start only within this time from the first. It
   * is short: every send that waits holds a sandbox, and its caller can wait as well.
   */
  PROVIDER_RETRY_BUDGET_MS: z._default(z.coerce.number().check(z.int(), z.positive()), 2_000),
});

/** Environment of the functions that send callers' emails, which may have attachments. */
export const sendingEnvironment = z.extend(mailingEnvironment, {
  ...attachmentEnvironment.shape,
  ...limitsEnvironment.shape,
});

/** Environment of the function that writes to organizations. */
export const noticeEnvironment = z.extend(mailingEnvironment, {
  /** An address of a domain that the AWS account itself has verified in SES. */
  NOTICE_FROM_EMAIL: z.optional(z.email()),
});

/** Environment of the functions that look after the From identities of organizations. */
export const identityEnvironment = z.extend(outboxEnvironment, {
  AWS_REGION: z.string().check(z.minLength(1)),
  CONFIGURATION_SET_NAME: z.string().check(z.minLength(1)),
  /** The ARN of an identity of the account, up to the slash before its name: to tag one, SES asks for it. */
  SES_IDENTITIES_ARN: z.string().check(z.startsWith('arn:')),
  /** How long an answer of SES about an identity is shown before SES is asked again. */
  SES_ANSWER_SECONDS: z._default(z.coerce.number().check(z.int(), z.gte(0)), 30),
  /** `address:port` of the DNS server to ask; the machine's own without it. */
  DNS_SERVER: z.optional(z.string().check(z.minLength(1))),
  /** Whether each organization is an SES tenant. */
  SES_TENANTS: z._default(z.stringbool(), false),
  /** What puts an address on SES's own list. */
  SES_SUPPRESSES: z._default(z.enum(sesSuppressionChoices), 'nobody'),
});

/** Environment of a function that only asks what SES lets the account do. */
export const accountEnvironment = z.pick(identityEnvironment, {
  TABLE_NAME: true,
  AWS_REGION: true,
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
