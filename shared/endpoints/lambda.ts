import type * as z from 'zod/mini';
import type { ContentAction, ContentGroup } from '#shared/stored-content/content-lifetimes';
import type { tableIndexes } from '#shared/table/table-attributes';

export type WriteAction = 'DeleteItem' | 'PutItem' | 'UpdateItem';

type TableAction =
  | WriteAction
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'GetItem'
  | 'Query'
  | 'Scan';

export type SesAction =
  | 'CreateEmailIdentity'
  | 'DeleteEmailIdentity'
  | 'GetAccount'
  | 'GetEmailIdentity'
  | 'PutEmailIdentityFeedbackAttributes'
  | 'PutEmailIdentityMailFromAttributes'
  | 'TagResource'
  | 'UntagResource';

export type TenantAction =
  | 'CreateTenant'
  | 'CreateTenantResourceAssociation'
  | 'DeleteTenant'
  | 'DeleteTenantResourceAssociation'
  | 'GetReputationEntity'
  | 'GetTenant'
  | 'PutTenantSuppressionAttributes';

/** The nested stacks, each with the endpoints of one subject. */
export const endpointStackNames = [
  'Links',
  'Templates',
  'Webhooks',
  'Account',
  'People',
  'Domains',
  'Organizations',
  'Recipients',
  'Reference',
  'Console',
  'Resend',
  'Postmark',
] as const;
export type EndpointStackName = (typeof endpointStackNames)[number];

/** Functions that the deployment may reserve concurrency for. A group shares its reservation equally. */
export type ReservationGroup = 'sending' | 'events' | 'links' | 'webhooks';

const secretNames = ['tokenSigningKey', 'cronSecret', 'operatorSecret'] as const;
export type SecretName = (typeof secretNames)[number];

/** Files that `infra/built-files` makes beside a function's bundle. */
export const builtFileNames = [
  'openapi.json',
  'docs.json',
  'llms.txt',
  'console.json',
  'routes.json',
] as const;
export type BuiltFileName = (typeof builtFileNames)[number];

/** Everything a Lambda may do and know: its role allows this and its own log group, nothing else. */
export type Lambda = {
  /**
   * The nested stack that contains the function and its routes. Default: the service's own. A deployed function can't
   * move: the new stack would open a route that the old one still has.
   */
  readonly stack?: EndpointStackName;
  /** Variables it reads, besides those of all functions. The deployment sets them; the opener gets them parsed. */
  readonly environment?: z.ZodMiniObject;
  readonly tableActions: readonly TableAction[];
  /** Programs ask it before each email, so its route takes as many requests as those that send. */
  readonly isAskedPerEmail?: true;
  /** Restricts these actions to partitions whose keys match. */
  readonly onlyPartitions?: readonly string[];
  /**
   * Restricts these writes to partitions whose keys match. Each write of a function that strangers reach must be here:
   * see `function-permissions.test.ts`.
   */
  readonly writesOnlyIn?: Readonly<Partial<Record<WriteAction, readonly string[]>>>;
  readonly queriesIndexes?: readonly (keyof typeof tableIndexes)[];
  /** May change who is signed in with a key, and nothing else about it. */
  readonly signsIn?: true;
  readonly writesAudit?: true;
  /** Counts in its organization's day, other than as a change. */
  readonly countsInDay?: true;
  /** Reads organizations' limits, and records on them what they use: these attributes and no others. */
  readonly notesUse?: true;
  /** Secrets whose values it may read, besides the one that its callers present. */
  readonly readsSecrets?: readonly SecretName[];
  /** Reads the secret by which the issuer of people's sign-ins knows this service, if the deployment has one. */
  readonly readsOidcSecret?: true;
  /** Reads the secret with the operator's targets for alarms, if the deployment has one. */
  readonly readsAlarmTargets?: true;
  /** May call SES `SendEmail`, also with raw content, but only with the service's configuration set. */
  readonly sendsEmail?: true;
  /** Also takes test emails, so it may queue their events. */
  readonly sendsTestEmail?: true;
  readonly sesActions?: readonly SesAction[];
  readonly tenantActions?: readonly TenantAction[];
  readonly suppressedDestinations?: readonly ('Get' | 'Delete')[];
  readonly attachmentsBucket?: 'put' | 'get';
  readonly contents?: Partial<Record<ContentGroup, readonly ContentAction[]>>;
  /** Writes webhook deliveries, and may send messages to the queue of their first attempts. */
  readonly wakesWebhookQueue?: true;
  readonly wakesSendQueue?: true;
  readonly deliversWebhooks?: true;
  readonly builtFile?: BuiltFileName;
  readonly reservation?: ReservationGroup;
  /** Default: 29. HTTP API stops waiting after 30 s, so the function can still log and count its own timeout. */
  readonly timeoutSeconds?: number;
  /** Default: 512. CPU grows with memory, but most functions start no faster with more. */
  readonly memoryMegabytes?: number;
  /** An email's attachments are in memory several times: as they came, decoded, in the request to SES, kept. */
  readonly holdsLargestEmail?: true;
};

/** Refuses fields that the shape doesn't have. A generic parameter alone accepts them. */
export type Only<Given, Shape> = { readonly [Name in Exclude<keyof Given, keyof Shape>]: never };
