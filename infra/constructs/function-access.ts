import { Aws, CfnElement, Names, Stack, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { ContentAction, ContentGroup } from '#shared/stored-content/content-lifetimes';
import { auditPartitions, ratePartitions, refusalPartitions } from '#shared/table/keys';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Settings } from '../settings/declaration.ts';
import type { FunctionDeclaration } from './function-catalogue.ts';

/**
 * Allows exactly the declared actions, and if keys are declared, only on the items of these partitions. CDK's
 * `grantReadData` and the like also allow Scan, streams and every index.
 */
export function grantTableAccess(
  role: Role,
  table: Table,
  declaration: Pick<
    FunctionDeclaration,
    'tableActions' | 'onlyPartitions' | 'writesOnlyIn' | 'queriesIndexes'
  >,
): void {
  const { tableActions, onlyPartitions, queriesIndexes = [] } = declaration;
  const writesOnlyIn = new Map(Object.entries(declaration.writesOnlyIn ?? {}));
  const actions = tableActions
    .filter((action) => !writesOnlyIn.has(action))
    .map((action) => `dynamodb:${action}`);
  allow(role, actions, table.tableArn, onlyPartitions && within(onlyPartitions));
  for (const [action, partitions] of writesOnlyIn) {
    allow(role, [`dynamodb:${action}`], table.tableArn, within(partitions));
  }
  for (const index of queriesIndexes) {
    allow(role, ['dynamodb:Query'], `${table.tableArn}/index/${tableIndexes[index].name}`);
  }
}

type EncryptionKeys = Pick<Settings, 'encryptionKeyArn' | 'formerEncryptionKeyArns'>;

/** DynamoDB, S3 and Secrets Manager use the operator's keys with their caller's permissions. */
export function grantEncryption(
  role: Role,
  { encryptionKeyArn, formerEncryptionKeyArns }: EncryptionKeys,
): void {
  const services = ['dynamodb', 's3', 'secretsmanager'].map(
    (service) => `${service}.${Aws.REGION}.${Aws.URL_SUFFIX}`,
  );
  const viaServices = { StringLike: { 'kms:ViaService': services } };
  if (encryptionKeyArn !== undefined) {
    const actions = [
      ...['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
      ...['kms:ReEncryptFrom', 'kms:ReEncryptTo'],
    ];
    allow(role, actions, encryptionKeyArn, viaServices);
  }
  // S3 keeps an object under the key that it was stored with.
  if (formerEncryptionKeyArns.length > 0) {
    allow(role, ['kms:Decrypt'], formerEncryptionKeyArns, viaServices);
  }
}

/** Allows writing audit entries, and nothing else in the table. */
export const grantAuditEntries = (role: Role, table: Table): void =>
  allow(role, ['dynamodb:PutItem'], table.tableArn, within([auditPartitions]));

/** Changes, and everything else with a limit, count towards the organization's day. */
export const grantCountInDay = (role: Role, table: Table): void =>
  grantChangeOf(role, table, ['used', 'expiresAt', 'most', 'fullAt'], [ratePartitions]);

/** Refusals have their own partitions. */
export const grantNoteOfRefusals = (role: Role, table: Table): void =>
  grantChangeOf(
    role,
    table,
    ['apiKeyId', 'route', 'status', 'code', 'fields', 'at', 'requestId', 'expiresAt', 'count'],
    [refusalPartitions],
  );

export const grantNoteOfKeyUse = (role: Role, table: Table): void =>
  grantChangeOf(role, table, ['lastUsedAt', 'sessionsUsedAt']);

export const grantSignIn = (role: Role, table: Table): void =>
  grantChangeOf(role, table, ['signIns']);

export function grantNoteOfUse(role: Role, table: Table): void {
  grantChangeOf(role, table, ['dayUse']);
  grantChangeOf(role, table, ['overShareUntil']);
  allow(role, ['dynamodb:GetItem'], table.tableArn, {
    'ForAllValues:StringEquals': {
      'dynamodb:Attributes': ['pk', 'sk', 'limits', 'dayUse', 'overShareUntil'],
    },
    Null: { 'dynamodb:Attributes': 'false' },
    // AWS's own form for named attributes (IAM guide, "Amazon DynamoDB: Allows access to specific attributes"). The key
    // is documented for Query and Scan only: if GetItem doesn't set it, `StringEquals` would deny every read. In that
    // case the line above still denies requests that name no attributes, and so ask for all of them.
    StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
  });
}

/**
 * Allows changing only these attributes of an item, and only in these partitions if given (DynamoDB guide, "Specifying
 * conditions: using condition keys": a request's attributes are those that it names, including keys and conditions).
 *
 * It doesn't stop the rest of the item from being read. A request can get all of it through a condition that fails
 * (`ReturnValuesOnConditionCheckFailure`), and IAM only has a key for `ReturnValues`. None of our requests do.
 */
function grantChangeOf(
  role: Role,
  table: Table,
  attributes: readonly string[],
  partitions: readonly string[] = [],
): void {
  const { 'ForAllValues:StringLike': keys, Null: keyed } = within(partitions);
  allow(role, ['dynamodb:UpdateItem'], table.tableArn, {
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', ...attributes] },
    ...(partitions.length > 0 && { 'ForAllValues:StringLike': keys }),
    // Otherwise a request that names no attributes would match.
    Null: { 'dynamodb:Attributes': 'false', ...(partitions.length > 0 && keyed) },
    StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
  });
}

const within = (partitions: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...partitions] },
  // Otherwise a request without a key would match.
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

/** For Lambda's poller, which uses the function's role (Lambda guide, "Execution role permissions" of DynamoDB). */
export function grantReadStream(role: Role, table: Table): void {
  const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  allow(
    role,
    actions.map((action) => `dynamodb:${action}`),
    streamOf(table),
  );
}

export function streamOf({ tableStreamArn }: Table): string {
  if (tableStreamArn === undefined) throw new Error('The table has no stream');
  return tableStreamArn;
}

/** The value only: `grantRead` also allows reading the description. */
export const grantReadSecret = (role: Role, secretArn: string): void =>
  allow(role, ['secretsmanager:GetSecretValue'], secretArn);

/** Without reading the queue's attributes, which CDK's `grantSendMessages` also allows. */
export const grantSendMessages = (role: Role, queue: IQueue): void =>
  allow(role, ['sqs:SendMessage'], queue.queueArn);

/** For Lambda's poller, which uses the function's role (Lambda guide, "Execution role permissions" of SQS). */
export function grantPollMessages(role: Role, queue: IQueue): void {
  const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  allow(role, actions, queue.queueArn);
}

export const grantPostponeMessages = (role: Role, queue: IQueue): void =>
  allow(role, ['sqs:ChangeMessageVisibility'], queue.queueArn);

/** Not the bucket's list, settings or versions. */
export function grantAttachments(role: Role, bucket: Bucket, access: 'put' | 'get'): void {
  const action = access === 'put' ? 's3:PutObject' : 's3:GetObject';
  allow(role, [action], bucket.arnForObjects('org_*'));
  acknowledgeObjects(role, bucket, 'org_*');
}

/** Objects of one group of kinds. Reading them includes knowing which ones exist: see `content-store.ts`. */
export function grantContents(
  role: Role,
  bucket: Bucket,
  group: ContentGroup,
  actions: readonly ContentAction[],
): void {
  const objects = `${group}/*`;
  const onObjects = actions.filter((action) => action !== 'List');
  allow(
    role,
    onObjects.map((action) => `s3:${action}Object`),
    bucket.arnForObjects(objects),
  );
  acknowledgeObjects(role, bucket, objects);
  if (!actions.includes('List') && !actions.includes('Get')) return;
  const underThem = { StringLike: { 's3:prefix': [objects] } };
  allow(role, ['s3:ListBucket'], bucket.bucketArn, underThem);
}

function acknowledgeObjects(role: Role, bucket: Bucket, objects: string): void {
  const resource = bucketResourceOf(bucket);
  // A nested stack gets the ARN as a parameter.
  const arn =
    Stack.of(role) === Stack.of(bucket)
      ? `${Stack.of(role).getLogicalId(resource)}.Arn`
      : `referenceto${Names.nodeUniqueId(resource.node)}Arn`;
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${arn}>/${objects}]`,
    reason:
      "Objects get their names while the service runs, each under its organization's id. The bucket holds nothing else.",
  });
}

export function allow(
  role: Role,
  actions: string[],
  resources: string | readonly string[],
  conditions: Record<string, unknown> = {},
): void {
  if (actions.length === 0) return;
  role.addToPolicy(new PolicyStatement({ actions, resources: [resources].flat(), conditions }));
}

/** For actions that IAM defines no resource for. */
export function acknowledgeAnyResource(role: Role, reason: string): void {
  for (const id of ['AwsSolutions-IAM5[Resource::*]', 'Serverless-LambdaStarPermissions']) {
    Validations.of(role).acknowledge({ id, reason });
  }
}

function bucketResourceOf({ node }: Bucket): CfnElement {
  if (node.defaultChild instanceof CfnElement) return node.defaultChild;
  throw new Error('The bucket has no CloudFormation resource');
}
