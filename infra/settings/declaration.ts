import { Token } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { roles } from '#shared/access/roles';
import {
  deliveryEnvironment,
  highestMaxCount,
  longestDoubtWindowSeconds,
  sendingEnvironment,
} from '#shared/config/environment';
import { eachLimit, organizationLimits } from '#shared/config/organization-limits';
import { longestAttemptMs, longestCallMs } from '#shared/config/send-attempt-time';
import { sesPricePlans } from '#shared/config/ses-prices';
import {
  queuedShareOfRate,
  type SesSuppressionChoice,
  sesSuppressionChoices,
} from '#shared/config/ses-settings';
import { longestAheadDays, longestHeldUpDays } from '#shared/sending/later/schedule-horizon';
import { waitingDays } from '#shared/stored-content/content-lifetimes';
import { newAccountConcurrency } from './new-account.ts';

type Words = {
  /** Markdown, as in `infra/README.md`. */
  readonly meaning: string;
  /** For the README, if the default depends on another setting. */
  readonly default?: string;
  /** Not the default. Together, all examples are a valid deployment, where tests see what each setting changes. */
  readonly example: unknown;
};

export const settingWords = z.registry<Words>();

function setting<Schema extends z.ZodType>(
  schema: Schema,
  words: Words & { readonly example: z.input<Schema> },
): Schema {
  settingWords.add(schema, words);
  return schema;
}

/** With the bounds and default of the functions' environment variable. */
const variable = (itself: z.core.$ZodType<number>) =>
  z
    .number()
    .transform((value): unknown => value)
    .pipe(itself)
    .default(z.parse(itself, undefined));

function httpsAddress(fits: (url: URL) => boolean, error: string) {
  const isIt = (url: URL) => url.protocol === 'https:' && fits(url);
  return z.string({ error }).refine((text) => URL.canParse(text) && isIt(new URL(text)), error);
}

/** Origins only: the API's pages link to each other by paths from the root. */
export const baseAddress = httpsAddress(
  ({ href, origin }) => href === `${origin}/`,
  'an https:// address without a path, query, fragment or credentials',
);

/** It gets a secret, so TLS only. `fetch` refuses credentials in an address. */
const entitlementsAddress = httpsAddress(
  ({ username, password, hash }) => username + password + hash === '',
  'an https:// address without a fragment or credentials',
);

const email = z.email({ error: 'an email address' });

/** The addresses are in the functions' environment, which holds 4 KB. */
const maxOperators = 20;
const operator = z
  .email({ error: 'an email address in lower case' })
  .max(64)
  .refine((text) => text === text.toLowerCase(), 'an email address in lower case');

/** In an app that creates the resource itself, CDK only knows the ARN later. */
function arn(service: string, resource: string, what: string) {
  const pattern = new RegExp(`^arn:aws[\\w-]*:${service}:[a-z0-9-]+:\\d{12}:${resource}$`);
  return z
    .string()
    .refine((text) => Token.isUnresolved(text) || pattern.test(text), `the ARN of ${what}`);
}
const kmsKeyArn = arn('kms', 'key/[\\w-]+', 'a KMS key (not an alias)');
const certificateArn = arn('acm', 'certificate/[\\w-]+', 'an ACM certificate');

const hostName = z
  .string()
  .max(253)
  .regex(
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/,
    'a lowercase hostname',
  );

/** With its certificate, or with the Route 53 zone where the stack proves its right to one. */
const customDomain = z.union(
  [
    z.strictObject({ name: hostName, certificateArn }),
    z.strictObject({
      name: hostName,
      hostedZoneId: z.string().regex(/^Z[A-Z0-9]+$/, 'the ID of a Route 53 zone'),
    }),
  ],
  { error: 'a lowercase hostname as "name", with a "certificateArn" or a "hostedZoneId"' },
);
export type CustomDomain = z.output<typeof customDomain>;

/** Must include the characters that Secrets Manager adds. Without them, IAM would deny the functions the secret. */
const secretArn = arn(
  'secretsmanager',
  'secret:[\\w/+=.@-]+-[A-Za-z0-9]{6}',
  'a Secrets Manager secret, including the six characters at its end',
);

/** Where its metadata is follows from it (OpenID Connect Discovery 1.0 §4), and its tokens name it exactly so. */
const issuerAddress = httpsAddress(
  ({ username, password, hash, search }) => username + password + hash + search === '',
  'an https:// address without a query, fragment or credentials',
);

/** The rules are in a function's environment, which holds 4 KB. */
const maxRoleRules = 50;
export const maxRoleRuleBytes = 2_500;

/** Sign-in with OpenID Connect. */
const oidc = z.strictObject({
  issuer: issuerAddress,
  clientId: z.string().min(1).max(200),
  clientSecretArn: secretArn,
  name: z.string().min(1).max(40).default('single sign-on'),
  roles: z
    .array(
      z.strictObject({
        claim: z.string().min(1).max(200),
        value: z.string().min(1).max(200),
        organizationId: z.string().regex(/^org_[a-z2-7]{16}$/, "an organization's ID"),
        role: z.enum(roles),
      }),
    )
    .min(1)
    .max(maxRoleRules),
});

/** More is surely a mistake: with too high a count, callers can claim any network. */
const maxProxies = 3;

/** The names are in the functions' environment, which holds 4 KB. */
const maxLinkDomains = 25;

/** A role's policies may have 10,240 characters in total. */
const maxFormerKeys = 5;

const limits = eachLimit((name) => z.int().min(1).max(organizationLimits[name].most));

const reservation = (group: string, example: number) =>
  setting(z.int().positive().optional(), {
    meaning: `How much of that to reserve for each function ${group}`,
    example,
  });

/** How long a send and its call to SES may take. */
export const longestSendSeconds = (longestAttemptMs + longestCallMs) / 1_000;

/**
 * A stored request must outlast its email's patience, which starts only after whatever holds it up. Leaves a day over.
 */
const longestPatienceSeconds = (waitingDays - longestAheadDays - longestHeldUpDays - 1) * 86_400;

/** A delivery's item keeps the answer to each attempt, 3 KB if it isn't text; DynamoDB takes 400 KB. */
const maxWebhookAttempts = 100;

/**
 * The construct's props, the context of `infra/app.ts`, the stage files and the table in `infra/README.md` follow from
 * this.
 */
export const serviceSettings = z.strictObject({
  doubtWindowSeconds: setting(variable(sendingEnvironment.shape.DOUBT_WINDOW_SECONDS), {
    meaning: `The doubt window: how long a send with an unknown outcome waits for SES's events before a retry takes it over. Must be longer than SES's events ever take, and than ${longestSendSeconds} s; ${longestDoubtWindowSeconds} at most`,
    example: 120,
  }),
  sendRetentionDays: setting(variable(sendingEnvironment.shape.SEND_RETENTION_DAYS), {
    meaning:
      'How long sends, timelines, idempotency keys and webhook deliveries are kept. An organization may choose fewer days',
    example: 30,
  }),
  queuedSendsPerSecond: setting(z.number().min(1).max(1_000).optional(), {
    meaning: `How much of the account's SES rate queued and scheduled emails may use; by default ${queuedShareOfRate * 100}%. It also decides how many workers run, so set it if you send 50 a second or more`,
    example: 50,
  }),
  sendPatienceSeconds: setting(
    variable(sendingEnvironment.shape.SEND_PATIENCE_SECONDS).check(z.lte(longestPatienceSeconds)),
    {
      meaning: `How long a due email is retried after its first attempt while SES throttles or can't be reached. After that it is \`failed\`. ${longestPatienceSeconds} at most: waiting emails are kept for ${waitingDays} days, and may be scheduled ${longestAheadDays} days ahead`,
      example: 7_200,
    },
  ),
  webhookMaxAttempts: setting(
    variable(deliveryEnvironment.shape.WEBHOOK_MAX_ATTEMPTS).check(z.lte(maxWebhookAttempts)),
    {
      meaning: `Attempts per webhook delivery, an hour apart from the fourth on; ${maxWebhookAttempts} at most (four days). An endpoint's \`maxAttempts\` takes precedence, and format \`resend\` makes 8`,
      example: 8,
    },
  ),
  webhooksPerSecondAndHost: setting(
    variable(deliveryEnvironment.shape.WEBHOOKS_PER_SECOND_AND_HOST),
    {
      meaning:
        'Webhook attempts a second at one host, for all organizations together, averaged over ten seconds. The rest wait for the next scheduled run',
      example: 500,
    },
  ),
  attachmentsMaxCount: setting(variable(sendingEnvironment.shape.ATTACHMENTS_MAX_COUNT), {
    meaning: `Attachments per email, 0 to ${highestMaxCount}`,
    example: 10,
  }),
  attachmentsMaxTotalMb: setting(variable(sendingEnvironment.shape.ATTACHMENTS_MAX_TOTAL_MB), {
    meaning: 'Their total decoded size, 25 at most (a megabyte is 1024 × 1024 bytes)',
    example: 20,
  }),
  preferencesByAddress: setting(z.boolean().default(true), {
    meaning:
      'Whether an address alone, without token or key, is enough to read and change preferences. An organization may decide otherwise',
    example: false,
  }),
  consoleKeySignIn: setting(z.boolean().default(true), {
    meaning:
      'Whether API keys, and links made with them (`manage console link`), sign in to the console. `false` leaves it to [people](../functions/show-docs/guides/people.md#without-keys)',
    example: false,
  }),
  proxiesInFront: setting(z.int().min(0).max(maxProxies).default(0), {
    meaning: `How many proxies of yours are in front of the HTTP API: 1 with CloudFront, ${maxProxies} at most. Too low, and everyone counts as one network; too high, and callers can claim any network. [Link domains](#link-domains) have none`,
    example: 1,
  }),
  entitlementsUrl: setting(entitlementsAddress.optional(), {
    meaning:
      'The service that decides whether an organization may attach files; by default its `attachmentsEnabled` does',
    example: 'https://entitlements.example.com/check',
  }),
  entitlementsSecretArn: setting(secretArn.optional(), {
    meaning:
      'The ARN of the secret with its bearer token, including the six characters at the end, which IAM needs',
    example: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:entitlements-AbCdEf',
  }),
  domain: setting(customDomain.optional(), {
    meaning:
      'Your [domain](#domains-of-your-own) for API, console and links: `{"name": "email-api.example.com", "certificateArn": "arn:…"}`, or a Route 53 `hostedZoneId` instead of the certificate',
    example: { name: 'email-api.example.com', hostedZoneId: 'Z0123456789EXAMPLE' },
  }),
  linkDomains: setting(z.array(customDomain).max(maxLinkDomains).default([]), {
    meaning: `[Domains for the links of single organizations](#link-domains), each like \`domain\`; ${maxLinkDomains} at most`,
    default: 'none',
    example: [
      {
        name: 'links.shop.example',
        certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/1234-5678',
      },
      { name: 'links.club.example', hostedZoneId: 'Z9876543210EXAMPLE' },
    ],
  }),
  publicBaseUrl: setting(baseAddress.optional(), {
    meaning:
      'Where links in emails lead if you put something in front of the API, such as [CloudFront](#throttles): an `https://` address without a path',
    default: "`domain`'s, or the HTTP API's address",
    example: 'https://front.example.com',
  }),
  encryptionKeyArn: setting(kmsKeyArn.optional(), {
    meaning:
      "Your own KMS key in this Region, for table, bucket and secrets. Its policy must let IAM decide, as the default policy does. Queues and topics keep AWS's keys",
    default: "AWS's keys",
    example: 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  }),
  formerEncryptionKeyArns: setting(z.array(kmsKeyArn).max(maxFormerKeys).default([]), {
    meaning: `[Previous keys](#another-kms-key), to read what they still encrypt; ${maxFormerKeys} at most`,
    default: 'none',
    example: ['arn:aws:kms:eu-west-1:123456789012:key/0987dcba-09fe-87dc-65ba-ab0987654321'],
  }),
  alarmEmail: setting(
    z.union([email, z.array(email)], { error: 'an email address, or a list of them' }).optional(),
    {
      meaning: 'Who gets the alarms: an address, or a list of them',
      example: ['on-call@example.com', 'team@example.com'],
    },
  ),
  alarmTargetsSecretArn: setting(secretArn.optional(), {
    meaning:
      'The ARN of the secret with [Slack, Teams and PagerDuty targets](#alarms-in-slack-teams-and-pagerduty) that get the alarms, too',
    default: 'none',
    example: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:alarm-targets-AbCdEf',
  }),
  sesTenants: setting(z.boolean().default(false), {
    meaning: 'Whether each organization is an [SES tenant](#tenants-of-ses)',
    example: true,
  }),
  sesSuppresses: setting(z.enum(sesSuppressionChoices).optional(), {
    meaning:
      "What puts an address on [SES's own suppression list](#sess-own-suppression-list): `nobody`, `bounces` or `bounces_and_complaints`",
    default: '`nobody`; `bounces` with `sesTenants`',
    example: 'bounces_and_complaints',
  }),
  oidc: setting(oidc.optional(), {
    meaning: `Sign-in to the console with [an identity provider](#sign-in-with-an-identity-provider) (OpenID Connect), as JSON: \`issuer\`, \`clientId\`, \`clientSecretArn\`, \`name\` (on the button) and \`roles\`: which claim gives which role in which organization; ${maxRoleRules} at most`,
    default: 'none',
    example: {
      issuer: 'https://id.example.com',
      clientId: 'email-console',
      clientSecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:oidc-AbCdEf',
      name: 'Example ID',
      roles: [
        {
          claim: 'groups',
          value: 'email-admins',
          organizationId: 'org_abcdefghijklmnop',
          role: 'admin',
        },
      ],
    },
  }),
  noticeFromEmail: setting(email.optional(), {
    meaning:
      "From address for notices, invitations and sign-in links of an organization that can't send them itself, on a domain you verified in SES. Without it, notices and invitations wait until the organization may send again, three days at most; a sign-in link is void after 10 minutes",
    example: 'notices@example.com',
  }),
  operators: setting(z.array(operator).max(maxOperators).default([]), {
    meaning: `Who operates the deployment: addresses in lower case that sign in to [the operators' console](#the-operators-console), ${maxOperators} at most. Nothing else makes an operator; whom you remove is one no more once this is deployed`,
    default: 'none',
    example: ['ops@example.com'],
  }),
  organizationLimits: setting(z.strictObject(limits).partial().optional(), {
    meaning:
      'The limits of every organization, as JSON: `{"recipientsPerDay": 50000}`. [Names](../functions/show-docs/guides/organizations.md#limits-of-an-organization); `manage organizations limits` sets them for a single one',
    example: { apiKeys: 30 },
  }),
  logLevel: setting(z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'), {
    meaning:
      '`INFO`, `WARN` or `ERROR`; metrics are always published. `DEBUG` adds a line per delivery and invocation',
    example: 'WARN',
  }),
  logRetentionDays: setting(z.enum(RetentionDays).default(RetentionDays.ONE_MONTH), {
    meaning: 'A retention period of CloudWatch Logs: 1, 3, 5, 7, 14, 30, 60, 90, …',
    example: RetentionDays.THREE_MONTHS,
  }),
  apiRequestsPerSecond: setting(z.int().positive().optional(), {
    meaning:
      'Requests a second on each route that sends; every other route with a key or secret gets a twentieth: see [Throttles](#throttles)',
    default: '10 × `lambdaConcurrency`, 1000 at most',
    example: 50,
  }),
  apiBurst: setting(z.int().positive().optional(), {
    meaning: 'The burst of these routes',
    default: '2 × `lambdaConcurrency`, 1250 at most',
    example: 80,
  }),
  linkRequestsPerSecond: setting(z.int().positive().optional(), {
    meaning:
      'The same for links and routes that need no key. At least your SES send rate, because opens and clicks follow sends',
    default: 'about a tenth of `apiRequestsPerSecond`',
    example: 200,
  }),
  gradualDeployment: setting(z.boolean().default(false), {
    meaning:
      'Shifts the functions that emails depend on to a new version [over ten minutes](../functions/show-docs/guides/upgrade.md#in-ten-minutes), and back if an alarm rings',
    example: true,
  }),
  tracing: setting(z.boolean().default(false), {
    meaning: 'Traces each invocation in X-Ray, which charges per trace',
    example: true,
  }),
  sesPricePlan: setting(z.enum(sesPricePlans).default('essentials'), {
    meaning: `Your SES pricing plan, for cost figures: ${sesPricePlans.map((plan) => `\`${plan}\``).join(', ')}`,
    example: 'pro',
  }),
  lambdaConcurrency: setting(z.int().min(newAccountConcurrency).default(newAccountConcurrency), {
    meaning:
      'How many functions your account may run at once in this Region: see [Concurrency](#concurrency)',
    example: 1_000,
  }),
  reservedForSending: reservation('that sends', 100),
  reservedForEvents: reservation("that records SES's events", 40),
  reservedForLinks: reservation('that links lead to', 20),
  reservedForWebhooks: reservation('that delivers webhooks', 50),
});

export type SettingsProps = z.input<typeof serviceSettings>;
export type Settings = z.output<typeof serviceSettings>;

/** For apps that deploy the service as a separate stack. */
export const deploymentSettings = z.strictObject({
  stage: setting(
    z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, 'a name of lowercase letters, digits and hyphens')
      .optional(),
    { meaning: 'Reads `stages/<stage>.json`: see [Stages](#stages)', example: 'staging' },
  ),
  stackName: setting(
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,127}$/, 'a valid CloudFormation stack name')
      .optional(),
    {
      meaning:
        "The deployment's name, also on metrics, logs and alarms. Another name is another deployment, with an empty table",
      default: '`EmailService`; `EmailService-<stage>` with a stage',
      example: 'EmailStaging',
    },
  ),
});

/** The operator's choice, or else what tenants make safe. */
export const suppressionChoiceOf = ({
  sesSuppresses,
  sesTenants,
}: Pick<Settings, 'sesSuppresses' | 'sesTenants'>): SesSuppressionChoice =>
  sesSuppresses ?? (sesTenants ? 'bounces' : 'nobody');
