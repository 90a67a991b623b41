import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import * as z from 'zod';
import { deliveryEnvironment, sendingEnvironment } from '#shared/config/environment';
import { eachLimit, organizationLimits } from '#shared/config/organization-limits';
import { type SesSuppressionChoice, sesSuppressionChoices } from '#shared/config/ses-settings';
import { editDistance } from '#shared/errors/edit-distance';

/** The command line gives text, `cdk.json` an object. */
function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const limits = eachLimit((name) => z.int().min(1).max(organizationLimits[name].most));

const reservation = z.coerce.number().int().positive().optional();

/** What a deployment may choose, each as CDK context: `cdk deploy -c doubtWindowSeconds=600`. */
export const deploymentConfig = z.object({
  /** Two deployments in one account and Region, for example stages, have two names. */
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,127}$/, 'must be a name as CloudFormation takes it')
    .default('EmailService'),
  doubtWindowSeconds: sendingEnvironment.shape.DOUBT_WINDOW_SECONDS,
  sendRetentionDays: sendingEnvironment.shape.SEND_RETENTION_DAYS,
  /**
   * The most that queued and scheduled emails take of the account's SES rate, all organizations together. It also says
   * how many workers run at a time.
   */
  queuedSendsPerSecond: z.coerce.number().min(1).max(1_000).optional(),
  /** How long they are tried again while SES throttles or can't be reached. */
  sendPatienceSeconds: sendingEnvironment.shape.SEND_PATIENCE_SECONDS,
  webhookMaxAttempts: deliveryEnvironment.shape.WEBHOOK_MAX_ATTEMPTS,
  attachmentsMaxCount: sendingEnvironment.shape.ATTACHMENTS_MAX_COUNT,
  attachmentsMaxTotalMb: sendingEnvironment.shape.ATTACHMENTS_MAX_TOTAL_MB,
  /** The external service that knows which organization may attach, and the secret with its bearer token. */
  entitlementsUrl: sendingEnvironment.shape.ENTITLEMENTS_URL,
  /** Its complete ARN, with the six random characters; the secret is the operator's own. */
  entitlementsSecretArn: z.string().startsWith('arn:').optional(),
  /** Whether each organization is a separate SES tenant, with its own reputation. */
  sesTenants: z.union([z.boolean(), z.stringbool()]).default(false),
  /**
   * What puts an address on SES's own suppression list. Without tenants that list is the whole account's, so by
   * default nothing does; with them each has its own list, and bounces do. `infra/README.md` says what each
   * choice means.
   */
  sesSuppresses: z.enum(sesSuppressionChoices).optional(),
  /**
   * From address for notices to an organization that can't send them itself, because its domain is lost or SES has paused
   * it. Its domain must be verified in the AWS account's SES.
   */
  noticeFromEmail: z.email().optional(),
  /** Whether an address alone, without token or key, may read and change preferences. Organizations may override it. */
  preferencesByAddress: z.union([z.boolean(), z.stringbool()]).default(true),
  /**
   * How many proxies of yours are in front of the HTTP API, for example 1 with CloudFront. Requests by a bare address are
   * counted by the network that the outermost proxy saw.
   */
  proxiesInFront: z.coerce.number().int().min(0).default(0),
  /** What an organization may use by default: `{"recipientsPerDay": 50000}`, by the names in `organization-limits.ts`. */
  organizationLimits: z.preprocess(readJson, z.strictObject(limits).partial()).optional(),
  logLevel: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'),
  /** One of the periods CloudWatch Logs knows: 1, 3, 5, 7, 14, 30, 60, 90 … */
  logRetentionDays: z.coerce.number().pipe(z.enum(RetentionDays)).default(RetentionDays.ONE_MONTH),
  /**
   * What each route takes that asks for a key or a secret; unless set as much as `lambdaConcurrency` can serve. Routes that
   * anybody may call take a part of it: `route-throttles.ts`.
   */
  apiRequestsPerSecond: z.coerce.number().int().positive().optional(),
  apiBurst: z.coerce.number().int().positive().optional(),
  /** What each route takes that the links of emails lead to: at least the SES send rate, as opens and clicks follow it. */
  linkRequestsPerSecond: z.coerce.number().int().positive().optional(),
  /** How many functions the account may run at a time, all of them together: 10 in a new account. */
  lambdaConcurrency: z.coerce.number().int().min(10).default(10),
  /** Of that, what each function of a group has for itself, and no more than that. */
  reservedForSending: reservation,
  reservedForEvents: reservation,
  reservedForLinks: reservation,
  reservedForWebhooks: reservation,
  /** Where people reach the service, when that is a domain of your own in front of the HTTP API. */
  publicBaseUrl: z.url({ protocol: /^https$/, error: 'must be an https:// address' }).optional(),
  /** Alarms go to the alarm topic in any case; this address is subscribed to it. */
  alarmEmail: z.email().optional(),
});

export type DeploymentConfig = z.infer<typeof deploymentConfig>;

/** What puts an address on SES's own list: as the operator chose, or as tenants make it safe. */
export const suppressionChoiceOf = ({
  sesSuppresses,
  sesTenants,
}: Pick<DeploymentConfig, 'sesSuppresses' | 'sesTenants'>): SesSuppressionChoice =>
  sesSuppresses ?? (sesTenants ? 'bounces' : 'nobody');

/**
 * @throws Error naming each context value that is malformed, and each setting that does not exist: a misspelt one would
 *   deploy the default in its place.
 */
export function readDeploymentConfig(scope: Construct): DeploymentConfig {
  refuseUnknown(scope);
  const context = Object.keys(deploymentConfig.shape).map((key) => [
    key,
    scope.node.tryGetContext(key),
  ]);
  const parsed = deploymentConfig.safeParse(Object.fromEntries(context));
  if (parsed.success) return parsed.data;
  throw new Error(`Malformed CDK context:\n${z.prettifyError(parsed.error)}`);
}

/** Context of CDK itself and of its plugins has a hyphen, a colon or a slash in its name; settings have none. */
const looksLikeSetting = /^[A-Za-z]\w*$/;

function refuseUnknown(scope: Construct): void {
  const known = Object.keys(deploymentConfig.shape);
  const names: readonly string[] = Object.keys(scope.node.getAllContext());
  const unknown = names.filter((name) => looksLikeSetting.test(name) && !known.includes(name));
  if (unknown.length === 0) return;
  const lines = unknown.map((name) => {
    const [nearest = ''] = known.toSorted(
      (one, other) => distance(name, one) - distance(name, other),
    );
    const isNear = distance(name, nearest) <= name.length / 3;
    return `✖ "${name}" is not a setting${isNear ? `: did you mean "${nearest}"?` : '.'}`;
  });
  throw new Error(`Unknown CDK context:\n${lines.join('\n')}\ninfra/README.md lists the settings.`);
}

const distance = (one: string, other: string): number =>
  editDistance(one.toLowerCase(), other.toLowerCase());
