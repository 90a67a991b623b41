import * as z from 'zod/mini';
import type { FunctionDeclaration } from '../../infra/constructs/function-catalogue.ts';
import type { RecordedRequest } from './fault-proxy.ts';
import {
  isAuditEntry,
  isCountInDay,
  isNoteOfKeyUse,
  isNoteOfRefusals,
  isSignIn,
} from './table-requests.ts';

type Grants = Pick<
  FunctionDeclaration,
  | 'tableActions'
  | 'writesAudit'
  | 'admitsKeys'
  | 'notesRefusals'
  | 'countsChanges'
  | 'countsInDay'
  | 'queriesIndexes'
  | 'signsIn'
  | 'sendsEmail'
  | 'sesActions'
  | 'suppressedDestinations'
  | 'trigger'
  | 'wakesWebhookQueue'
  | 'wakesSendQueue'
>;

/** SES may check both of one request: see `grantSendEmail`. */
const sendPermissions = ['ses:SendEmail', 'ses:SendRawEmail'];

/** What the function's role is granted of DynamoDB, SES and SQS; an index is named before its action. */
export const grantedTo = (declaration: Grants): string[] =>
  [
    ...declaration.tableActions.map((action) => `dynamodb:${action}`),
    ...(declaration.admitsKeys ? [noteOfKeyUse] : []),
    ...(declaration.notesRefusals ? [noteOfRefusals] : []),
    ...(declaration.countsChanges || declaration.countsInDay ? [countInDay] : []),
    ...(declaration.signsIn ? [signIn] : []),
    ...(declaration.writesAudit ? [auditEntry] : []),
    ...(declaration.queriesIndexes ?? []).map((index) => `${index} dynamodb:Query`),
    ...(declaration.sendsEmail ? sendPermissions : []),
    ...(declaration.sesActions ?? []).map((action) => `ses:${action}`),
    ...(declaration.trigger === 'provider-events' ? ['sqs:ChangeMessageVisibility'] : []),
    ...(declaration.suppressedDestinations ?? []).map((verb) => `ses:${verb}SuppressedDestination`),
    ...(declaration.wakesWebhookQueue || declaration.wakesSendQueue ? ['sqs:SendMessage'] : []),
  ].toSorted();

const noteOfKeyUse = 'lastUsedAt dynamodb:UpdateItem';
const noteOfRefusals = 'refusals dynamodb:UpdateItem';
const countInDay = 'rate dynamodb:UpdateItem';
const signIn = 'signIns dynamodb:UpdateItem';
const auditEntry = 'audit dynamodb:PutItem';

/**
 * What a role needs for these requests, each permission once. Who may put any item needs no other permission for
 * entries of the audit in its transactions.
 */
export const neededFor = (
  requests: readonly RecordedRequest[],
  { writesAudit }: Pick<FunctionDeclaration, 'writesAudit'>,
): string[] =>
  [
    ...new Set(requests.flatMap((request) => permissionsOf(request, writesAudit === true))),
  ].toSorted();

const keyed = z.object({
  Key: z.optional(z.object({ pk: z.object({ S: z.string() }) })),
  Item: z.optional(z.object({ pk: z.object({ S: z.string() }) })),
});

/** Writes into partitions that the role may not write into, each as "action in partition". */
export const writesElsewhere = (
  requests: readonly RecordedRequest[],
  { writesOnlyIn = {}, writesAudit }: Pick<FunctionDeclaration, 'writesOnlyIn' | 'writesAudit'>,
): string[] => {
  const bounds = new Map(Object.entries(writesOnlyIn));
  return requests
    .flatMap((request) => partsOf(request, writesAudit === true))
    .flatMap(({ permission, body }) => {
      const patterns = bounds.get(permission.replace('dynamodb:', ''));
      const { Key, Item } = keyed.parse(body ?? {});
      const { S: pk = '' } = (Key ?? Item)?.pk ?? {};
      return patterns === undefined || patterns.some((one) => isLike(pk, one))
        ? []
        : [`${permission} in ${pk}`];
    });
};

/** As IAM's `StringLike`. */
const isLike = (text: string, pattern: string): boolean =>
  new RegExp(`^${RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.')}$`).test(
    text,
  );

const transaction = z.object({ TransactItems: z.array(z.record(z.string(), z.unknown())) });
const query = z.object({ IndexName: z.optional(z.string()) });
const partPermissions = new Map([
  ['Put', 'dynamodb:PutItem'],
  ['Update', 'dynamodb:UpdateItem'],
  ['Delete', 'dynamodb:DeleteItem'],
  ['ConditionCheck', 'dynamodb:ConditionCheckItem'],
]);

type Part = { readonly permission: string; readonly body?: unknown };

const permissionsOf = (request: RecordedRequest, writesAudit: boolean): string[] =>
  partsOf(request, writesAudit).map(({ permission }) => permission);

/** The parts of a transaction, or the request itself. */
function partsOf(request: RecordedRequest, writesAudit: boolean): Part[] {
  const { operation, body } = request;
  // Those of its parts (DynamoDB guide, "IAM and transactions").
  if (operation === 'TransactWriteItems') {
    return transaction
      .parse(body)
      .TransactItems.flatMap(Object.entries)
      .map(([part, item]) => ({
        permission:
          writesAudit && part === 'Put' && isAuditEntry(item)
            ? auditEntry
            : (partPermissions.get(part) ?? part),
        body: item,
      }));
  }
  return permissionsOfOne(request).map((permission) => ({ permission, body }));
}

function permissionsOfOne({ operation, body }: RecordedRequest): string[] {
  switch (operation) {
    case 'SendEmail':
      return sendPermissions;
    case 'ChangeMessageVisibility':
      return ['sqs:ChangeMessageVisibility'];
    case 'GetSuppressedDestination':
    case 'DeleteSuppressedDestination':
      return [`ses:${operation}`];
    case 'SendMessage':
    case 'SendMessageBatch':
      return ['sqs:SendMessage'];
    case 'PutItem':
      return [isAuditEntry(body) ? auditEntry : 'dynamodb:PutItem'];
    case 'UpdateItem':
      if (isSignIn(body)) return [signIn];
      if (isNoteOfRefusals(body)) return [noteOfRefusals];
      if (isCountInDay(body)) return [countInDay];
      return [isNoteOfKeyUse(body) ? noteOfKeyUse : 'dynamodb:UpdateItem'];
    case 'Query': {
      const { IndexName } = query.parse(body);
      return [IndexName === undefined ? 'dynamodb:Query' : `${IndexName} dynamodb:Query`];
    }
    default:
      return sesPermissionsOf(operation, body) ?? [`dynamodb:${operation}`];
  }
}

const created = z.object({ Tags: z.optional(z.array(z.unknown())) });

/** Of SES's calls by HTTP: `GET /v2/email/account`. */
function sesPermissionsOf(operation: string, body: unknown): string[] | undefined {
  const [method = '', url = ''] = operation.split(' ');
  const [, path] = /^\/v2\/email(\/.+)$/.exec(url) ?? [];
  if (path === undefined) return undefined;
  // Only a deployment with tenants is granted these: see `function-permissions.test.ts`.
  if (/^\/(?:tenants?|reputation)\//.test(path)) return [];
  if (path === '/account') return ['ses:GetAccount'];
  if (path.endsWith('/feedback')) return ['ses:PutEmailIdentityFeedbackAttributes'];
  if (path === '/tags') return ['ses:TagResource'];
  if (path.endsWith('/mail-from')) return ['ses:PutEmailIdentityMailFromAttributes'];
  if (method === 'GET') return ['ses:GetEmailIdentity'];
  if (method === 'DELETE') return ['ses:DeleteEmailIdentity'];
  const tags = created.parse(body).Tags ?? [];
  return ['ses:CreateEmailIdentity', ...(tags.length > 0 ? ['ses:TagResource'] : [])];
}
