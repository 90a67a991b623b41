import * as z from 'zod/mini';
import { longestCallMs, longestProviderRetryingMs } from './send-attempt-time.ts';
import { sesPricePlans } from './ses-prices.ts';
import { sesSuppressionChoices } from './ses-settings.ts';

/** @__NO_SIDE_EFFECTS__ tells esbuild to bundle only the schemas that a function uses. */
const variables = <const Shape extends z.core.$ZodShape>(shape: () => Shape) => z.object(shape());

export const tableEnvironment = variables(() => ({
  TABLE_NAME: z.string().check(z.minLength(1)),
}));

/** For functions that receive requests for links, or make links. */
export const linkDomainsEnvironment = variables(() => ({
  /** Hosts that each serve one organization's links, separated by commas. `*.localhost` in the local twin. */
  LINK_DOMAINS: z._default(
    z.pipe(
      z.string(),
      z.transform((text) => text.split(',').filter((host) => host !== '')),
    ),
    [],
  ),
}));

export const tenantsEnvironment = variables(() => ({
  /** Whether each organization is an SES tenant, with its own suppression list. */
  SES_TENANTS: z._default(z.stringbool(), false),
}));

/** How long a send and its idempotency key are kept; an organization may keep its own for less. */
const defaultSendRetentionDays = 90;

export const retentionEnvironment = variables(() => ({
  SEND_RETENTION_DAYS: z._default(
    z.coerce.number().check(z.int(), z.positive()),
    defaultSendRetentionDays,
  ),
}));

/** For functions that write webhook deliveries and wake their queue. */
export const outboxEnvironment = variables(() => ({
  ...retentionEnvironment.shape,
  WEBHOOK_QUEUE_URL: z.url(),
}));

export const tokenEnvironment = variables(() => ({
  TOKEN_SIGNING_SECRET_ID: z.string().check(z.minLength(1)),
}));

const linkEnvironment = variables(() => ({
  ...tokenEnvironment.shape,
  ...outboxEnvironment.shape,
}));

/** For functions that show or change contacts' preferences. */
export const contactEnvironment = variables(() => ({
  ...linkEnvironment.shape,
  /** Whether an address alone reads and changes preferences, unless the organization decides. */
  PREFERENCES_BY_ADDRESS: z._default(z.stringbool(), true),
  /** Number of proxies in front of API Gateway: see `http/source-address.ts`. */
  PROXIES_IN_FRONT: z._default(z.coerce.number().check(z.int(), z.gte(0)), 0),
}));

export const providerEventEnvironment = variables(() => ({
  ...outboxEnvironment.shape,
  PROVIDER_EVENTS_TOPIC_ARN: z.string().check(z.minLength(1)),
  PROVIDER_EVENT_RETRY_QUEUE_URL: z.url(),
}));

const whole = z.int().check(z.positive());

export const publicAddressEnvironment = variables(() => ({
  /** Where people and mail clients reach the service; normalised as browsers do. */
  PUBLIC_BASE_URL: z.pipe(
    z.url(),
    z.transform((url) => new URL(url).href.replace(/\/+$/, '')),
  ),
}));

/** Says only whether and how the console offers the issuer. */
export const issuerNameEnvironment = variables(() => ({
  OIDC_NAME: z.optional(z.string()),
}));

/** For functions that speak with the issuer of people's sign-ins (OpenID Connect). Absent if there is none. */
export const issuerEnvironment = variables(() => ({
  ...issuerNameEnvironment.shape,
  ...publicAddressEnvironment.shape,
  OIDC_ISSUER: z.optional(z.url()),
  OIDC_CLIENT_ID: z.optional(z.string()),
  /** `true` only in the local twin, whose issuer is on this machine, without TLS. */
  OIDC_ALLOW_LOOPBACK_HTTP: z._default(z.stringbool(), false),
}));

/** For the function that signs people in with what the issuer says of them. */
export const issuerSignInEnvironment = variables(() => ({
  ...issuerEnvironment.shape,
  OIDC_SECRET_ID: z.optional(z.string().check(z.minLength(1))),
  /** As JSON: which claim gives which role in which organization. Form: `oidc/role-rules.ts`. */
  OIDC_ROLES: z._default(
    z.pipe(
      z.string(),
      z.transform((text): unknown => JSON.parse(text)),
    ),
    [],
  ),
}));

export const limitsEnvironment = variables(() => ({
  /** The deployment's own limits as JSON, by name. Defaults: `organization-limits.ts`. */
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
}));

export const operatorsEnvironment = variables(() => ({
  /** Addresses of the people who operate the deployment, in lower case, separated by commas. */
  OPERATORS: z._default(
    z.pipe(
      z.string(),
      z.transform((text): readonly string[] => text.split(',').filter((one) => one !== '')),
    ),
    [],
  ),
}));

export const priceEnvironment = variables(() => ({
  /** The price plan of SES, for cost figures: see `ses-prices.ts`. */
  SES_PRICE_PLAN: z._default(z.enum(sesPricePlans), 'essentials'),
}));

export const sessionEnvironment = variables(() => ({
  /** `true` only in the local twin, where browsers connect without TLS. */
  PLAIN_HTTP_SESSIONS: z._default(z.stringbool(), false),
}));

export const builtFileEnvironment = variables(() => ({
  BUILT_FILES_FOLDER: z.string().check(z.minLength(1)),
}));

/** For functions that know how long a delivery is tried. */
export const retryEnvironment = variables(() => ({
  WEBHOOK_MAX_ATTEMPTS: z._default(z.coerce.number().check(z.int(), z.positive()), 5),
}));

/** For functions that sign in to the console with keys. */
export const keySignInEnvironment = variables(() => ({
  CONSOLE_KEY_SIGN_IN: z._default(z.stringbool(), true),
}));

/** For functions that take a URL of a webhook or an attachment. */
export const webhookUrlEnvironment = variables(() => ({
  /** `true` only in the local twin, where receivers are on this machine, without TLS. */
  WEBHOOK_ALLOW_LOOPBACK_HTTP: z._default(z.stringbool(), false),
}));

export const deliveryEnvironment = variables(() => ({
  ...retryEnvironment.shape,
  ...webhookUrlEnvironment.shape,
  /** Of all organizations together. */
  WEBHOOKS_PER_SECOND_AND_HOST: z._default(z.coerce.number().check(z.int(), z.positive()), 200),
  /** Well below an attempt's 30 s lease. */
  WEBHOOK_TIMEOUT_MS: z._default(
    z.coerce.number().check(z.int(), z.positive(), z.lte(20_000)),
    15_000,
  ),
}));

/** The most attachments per email that a deployment may allow. `shared/attachments/attachment.ts` reads one more. */
export const highestMaxCount = 99;

export const accountEnvironment = variables(() => ({
  AWS_REGION: z.string().check(z.minLength(1)),
}));

export const bucketEnvironment = variables(() => ({
  ...accountEnvironment.shape,
  ATTACHMENTS_BUCKET_URL: z.url(),
}));

export const fewestSlowFetches = 2;

export const attachmentEnvironment = variables(() => ({
  ...bucketEnvironment.shape,
  ...webhookUrlEnvironment.shape,
  ATTACHMENTS_MAX_COUNT: z._default(
    z.coerce.number().check(z.int(), z.gte(0), z.lte(highestMaxCount)),
    5,
  ),
  /** All attachments of an email, decoded; a megabyte is 1024 × 1024 bytes. */
  ATTACHMENTS_MAX_TOTAL_MB: z._default(z.coerce.number().check(z.positive(), z.lte(25)), 10),
  /** Requests of an organization that may wait for slow files behind URLs at once. Each holds an execution. */
  SLOW_FETCHES_AT_ONCE: z._default(
    z.coerce.number().check(z.int(), z.positive()),
    fewestSlowFetches,
  ),
  /** An external service that knows who may attach files. Without it, the organization's own setting decides. */
  ENTITLEMENTS_URL: z.optional(z.url()),
  ENTITLEMENTS_SECRET_ID: z.optional(z.string().check(z.minLength(1))),
}));

/**
 * Half a day. An organization may keep its sends for only one day, and a send's lease must end well before the send is
 * deleted. Otherwise a retry would find no claim and send again.
 */
export const longestDoubtWindowSeconds = 43_200;

/** For all functions that hand emails to SES. */
export const mailingEnvironment = variables(() => ({
  ...tokenEnvironment.shape,
  ...outboxEnvironment.shape,
  ...tenantsEnvironment.shape,
  ...linkDomainsEnvironment.shape,
  ...publicAddressEnvironment.shape,
  CONFIGURATION_SET_NAME: z.string().check(z.minLength(1)),
  /**
   * The doubt window: how long a send with an unknown outcome waits for SES's own Send event. Until then a retry gets
   * 409; after that the email counts as never accepted, and a retry may send it. Must exceed the time an attempt and
   * its SES call may take: see `send-attempt-time.ts`.
   */
  DOUBT_WINDOW_SECONDS: z._default(
    z.coerce.number().check(z.positive(), z.lte(longestDoubtWindowSeconds)),
    300,
  ),
  PROVIDER_CALL_TIMEOUT_MS: z._default(
    z.coerce.number().check(z.int(), z.positive()),
    longestCallMs,
  ),
  /**
   * While SES throttles or is unreachable, new attempts start only within this time of the first: each waiting send
   * holds a sandbox, and its caller can wait instead.
   */
  PROVIDER_RETRY_BUDGET_MS: z._default(
    z.coerce.number().check(z.int(), z.positive()),
    longestProviderRetryingMs,
  ),
}));

export const testEventsEnvironment = variables(() => ({
  TEST_EVENT_QUEUE_URL: z.optional(z.url()),
}));

export const sendQueueEnvironment = variables(() => ({
  SEND_QUEUE_URL: z.url(),
  /** How long workers retry a due email, from its first attempt on, while SES throttles or is unreachable. */
  SEND_PATIENCE_SECONDS: z._default(z.coerce.number().check(z.int(), z.positive()), 3_600),
}));

/** For functions that send callers' emails, which may have attachments. */
export const sendingEnvironment = variables(() => ({
  ...mailingEnvironment.shape,
  ...testEventsEnvironment.shape,
  ...attachmentEnvironment.shape,
  ...sendQueueEnvironment.shape,
}));

/** For workers, which send what was stored for later. */
export const workerEnvironment = variables(() => ({
  ...mailingEnvironment.shape,
  ...testEventsEnvironment.shape,
  ...bucketEnvironment.shape,
  ...sendQueueEnvironment.shape,
  /** The most that all workers together hand to SES in a second. Without it, a part of SES's rate for the account. */
  QUEUED_SENDS_PER_SECOND: z.optional(z.coerce.number().check(z.positive())),
  /** A process's share of it. */
  SEND_RATE_SHARE: z.coerce.number().check(z.positive(), z.lte(1)),
  /** In megabytes. Lambda sets it. */
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: z._default(z.coerce.number().check(z.positive()), 512),
}));

export const noticeEnvironment = variables(() => ({
  ...mailingEnvironment.shape,
  ...webhookUrlEnvironment.shape,
  /** An address at a domain that the AWS account itself has verified in SES. */
  NOTICE_FROM_EMAIL: z.optional(z.email()),
}));

/** For the function that forwards the operator's alarms. */
export const alarmTargetsEnvironment = variables(() => ({
  ALARM_TARGETS_SECRET_ID: z.optional(z.string().check(z.minLength(1))),
}));

export const sesIdentitiesEnvironment = variables(() => ({
  ...accountEnvironment.shape,
  /** The ARN of an SES identity up to the slash before its name, which tagging needs. */
  SES_IDENTITIES_ARN: z.string().check(z.startsWith('arn:')),
}));

export const sesTenantsEnvironment = variables(() => ({
  ...tenantsEnvironment.shape,
  CONFIGURATION_SET_NAME: z.string().check(z.minLength(1)),
  /** What puts an address on SES's own list. */
  SES_SUPPRESSES: z._default(z.enum(sesSuppressionChoices), 'nobody'),
}));

export const sesAnswerEnvironment = variables(() => ({
  /** How long SES's answer about an identity is shown before SES is asked again. */
  SES_ANSWER_SECONDS: z._default(z.coerce.number().check(z.int(), z.gte(0)), 30),
}));

export const dnsEnvironment = variables(() => ({
  /** `address:port` of the DNS server. Default: the machine's own. */
  DNS_SERVER: z.optional(z.string().check(z.minLength(1))),
}));

/**
 * Parses a function's environment, once, while its process starts.
 *
 * @throws Error naming each missing or malformed variable, never its value.
 */
export function parseEnvironment<Schema extends z.core.$ZodType>(schema: Schema): z.output<Schema> {
  // Compiling a parser isn't worth it for a single parse.
  const parsed = z.safeParse(schema, process.env, { jitless: true });
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map((issue) => issue.path.join('.'));
  throw new Error(`Missing or malformed environment variables: ${names.join(', ')}`);
}
