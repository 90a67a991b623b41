import type { tableIndexes } from '#shared/table/table-attributes';
import type { BuiltFileName } from '../built-files/build-files.ts';
import type { SecretName } from './stores/service-secrets.ts';

/** A DynamoDB action on items. A transaction needs those of its parts, and no action of its own. */
export type TableAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'Scan'
  | 'UpdateItem';

/** A SES action on the domains of organizations, or on the account. */
export type SesAction =
  | 'CreateEmailIdentity'
  | 'DeleteEmailIdentity'
  | 'GetAccount'
  | 'GetEmailIdentity'
  | 'PutEmailIdentityFeedbackAttributes'
  | 'PutEmailIdentityMailFromAttributes'
  | 'TagResource';

/** A SES action on the tenants that organizations are, where the deployment wants that. */
export type TenantAction =
  | 'CreateTenant'
  | 'CreateTenantResourceAssociation'
  | 'DeleteTenant'
  | 'DeleteTenantResourceAssociation'
  | 'GetReputationEntity'
  | 'GetTenant'
  | 'PutTenantSuppressionAttributes';

/** The stacks inside the service's stack, each with the endpoints of one subject. */
export const endpointStackNames = [
  'Links',
  'Templates',
  'Webhooks',
  'Account',
  'Organizations',
  'Recipients',
  'Reference',
  'Console',
] as const;
export type EndpointStackName = (typeof endpointStackNames)[number];

/** Functions that the deployment may reserve concurrency for, each as much as the others of its group. */
export type ReservationGroup = 'sending' | 'events' | 'links' | 'webhooks';

/** What one function is, and all it may do: its role holds this and its own log group, nothing else. */
export type FunctionDeclaration = {
  /** Folder under `functions/`; also the construct id. */
  readonly name: string;
  readonly trigger:
    | 'http-api'
    | 'provider-events'
    | 'webhook-queue'
    | 'table-stream'
    | 'event-rule'
    | 'schedule';
  /**
   * The nested stack that holds it, with its routes. Without one it is in the service's own stack: so is the
   * send path, and whatever reads a queue, a topic or a stream. It cannot move later in one deployment: the
   * new stack would open a route that the old one still has.
   */
  readonly stack?: EndpointStackName;
  readonly tableActions: readonly TableAction[];
  /** Admits callers by API key: it may note on a key that it was used, and change nothing else of it. */
  readonly admitsKeys?: true;
  /** Signs people in to the console or out: it may change that attribute of a key, and nothing else of it. */
  readonly signsIn?: true;
  /** Tells the audit of what it does: it may put entries there, whatever else it may do with the table. */
  readonly writesAudit?: true;
  /** Reads the limits of organizations, and notes on them what they use: these attributes and no others. */
  readonly notesUse?: true;
  /** Restricts these actions to partitions whose keys are like this. */
  readonly onlyPartitions?: readonly string[];
  readonly queriesIndexes?: readonly (keyof typeof tableIndexes)[];
  /** Whose values it may read. */
  readonly readsSecrets?: readonly SecretName[];
  /** May call SES `SendEmail`, also with raw content, with the service's configuration set only. */
  readonly sendsEmail?: true;
  /** Writes to organizations, also from the deployment's own address. */
  readonly sendsNotices?: true;
  /** May do this with the From identities of organizations. */
  readonly sesActions?: readonly SesAction[];
  /** May do this with them as tenants of SES, if the deployment has `sesTenants`. */
  readonly tenantActions?: readonly TenantAction[];
  /** May do this with SES's own suppression lists. */
  readonly suppressedDestinations?: readonly ('Get' | 'Delete')[];
  /** May put to, or get from, the bucket of uploaded attachments. */
  readonly attachmentsBucket?: 'put' | 'get';
  /** Writes webhook deliveries, and may send messages to the queue of their first attempts. */
  readonly wakesWebhookQueue?: true;
  /** Takes requests that name an address and prove nothing: it knows whether that is wanted, and what stands in front. */
  readonly takesBareAddresses?: true;
  /** Is told how long the deployment keeps sends. Who knows the webhook queue is told anyway. */
  readonly knowsRetention?: true;
  /** Makes attempts at webhook deliveries. */
  readonly deliversWebhooks?: true;
  /** Serves this file, which `infra/built-files/write.ts` makes beside its bundle. */
  readonly builtFile?: BuiltFileName;
  readonly reservation?: ReservationGroup;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
};
