import {
  countsUsage,
  indexesContacts,
  makesFirstAttempts,
  recordsProviderEvents,
  runsDueDeliveries,
  sendsNotices,
} from './background-groups.ts';
import { consoleFunctions } from './console-functions.ts';
import { contactFunctions } from './contact-functions.ts';
import type { FunctionDeclaration } from './function-declaration.ts';
import {
  changesKeys,
  issuesUploads,
  managesKeys,
  managesTemplates,
  managesWebhooks,
  readsTable,
  refusesUnknownRoutes,
  sendsEmail,
  servesBuiltFiles,
  tracksVisits,
} from './function-groups.ts';
import { identityFunctions } from './identity-functions.ts';
import { organizationFunctions } from './organization-functions.ts';

/**
 * Every function of the service, and what it may do beyond its group. The groups are in `function-groups.ts` and
 * `background-groups.ts`, with memory and timeout.
 * `function-access.ts` makes IAM policies of both.
 */
export const functionCatalogue = [
  { name: 'send-email', ...sendsEmail },
  { name: 'send-global-email', ...sendsEmail },
  { name: 'create-upload', ...issuesUploads },
  { name: 'get-send', ...readsTable },
  {
    name: 'list-sends',
    ...readsTable,
    stack: 'Recipients',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2', 'gsi3'],
  },
  { name: 'record-provider-event', ...recordsProviderEvents },
  ...contactFunctions,
  {
    name: 'create-template',
    ...managesTemplates,
    tableActions: ['GetItem', 'PutItem'],
    queriesIndexes: ['gsi2'],
  },
  {
    name: 'list-templates',
    ...managesTemplates,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  { name: 'get-template', ...managesTemplates, tableActions: ['GetItem', 'BatchGetItem'] },
  {
    name: 'update-template',
    ...managesTemplates,
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
  },
  {
    name: 'delete-template',
    ...managesTemplates,
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
  },
  { name: 'render-template', ...managesTemplates, tableActions: ['GetItem', 'BatchGetItem'] },
  {
    name: 'create-webhook',
    ...managesWebhooks,
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
  },
  { name: 'list-webhooks', ...managesWebhooks, tableActions: ['GetItem', 'Query'] },
  { name: 'get-webhook', ...managesWebhooks, tableActions: ['GetItem'] },
  {
    name: 'update-webhook',
    ...managesWebhooks,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  {
    name: 'delete-webhook',
    ...managesWebhooks,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  {
    name: 'rotate-webhook-secret',
    ...managesWebhooks,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  {
    name: 'test-webhook',
    ...managesWebhooks,
    tableActions: ['GetItem', 'PutItem'],
    wakesWebhookQueue: true,
  },
  {
    name: 'verify-webhook-signature',
    ...managesWebhooks,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  {
    name: 'list-webhook-deliveries',
    ...managesWebhooks,
    tableActions: ['GetItem', 'BatchGetItem', 'Query'],
    queriesIndexes: ['gsi2'],
  },
  {
    name: 'redeliver-webhook-delivery',
    ...managesWebhooks,
    tableActions: ['ConditionCheckItem', 'GetItem', 'PutItem', 'UpdateItem'],
    wakesWebhookQueue: true,
  },
  {
    name: 'redeliver-failed-deliveries',
    ...managesWebhooks,
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    queriesIndexes: ['gsi2'],
  },
  { name: 'track-click', ...tracksVisits },
  { name: 'track-open', ...tracksVisits },
  { name: 'deliver-webhooks', ...makesFirstAttempts, reservation: 'webhooks' },
  { name: 'run-webhook-queue', ...runsDueDeliveries },
  { name: 'count-usage', ...countsUsage },
  { name: 'index-contacts', ...indexesContacts },
  { name: 'get-usage', ...readsTable },
  { name: 'create-api-key', ...managesKeys, tableActions: ['GetItem', 'Query', 'PutItem'] },
  {
    name: 'list-api-keys',
    ...managesKeys,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  { name: 'update-api-key', ...managesKeys, tableActions: changesKeys },
  { name: 'revoke-api-key', ...managesKeys, tableActions: changesKeys },
  {
    name: 'rotate-api-key',
    ...managesKeys,
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
  },
  { name: 'list-audit-entries', ...readsTable },
  ...organizationFunctions,
  ...identityFunctions,
  { name: 'send-notices', ...sendsNotices },
  { name: 'get-openapi', ...servesBuiltFiles, builtFile: 'openapi.json' },
  { name: 'show-docs', ...servesBuiltFiles, builtFile: 'docs.html' },
  ...consoleFunctions,
  { name: 'refuse-unknown-route', ...refusesUnknownRoutes },
] as const satisfies readonly FunctionDeclaration[];

export type FunctionName = (typeof functionCatalogue)[number]['name'];
