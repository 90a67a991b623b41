import { usagePartitions } from '#shared/table/keys';
import type { FunctionDeclaration } from './function-declaration.ts';
import { firstAttemptsTimeoutSeconds } from './webhook-queue-settings.ts';

/** HTTP API gives up after 30 s: one second less, and a timeout is ours, logged and counted. */
const httpTimeoutSeconds = 29;

/** CPU comes with memory; half a gigabyte starts cold about as fast as this little code can. */
const readsTable = {
  trigger: 'http-api',
  tableActions: ['GetItem', 'Query'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/**
 * A request of 6 MB is in memory several times over (event, parsed body, decoded attachments, request
 * to SES), and that encoding is CPU the caller waits for.
 */
const sendsEmail = {
  trigger: 'http-api',
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
  readsSecrets: ['tokenSigningKey'],
  sendsEmail: true,
  attachmentsBucket: 'get',
  wakesWebhookQueue: true,
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 1024,
} as const;

/** What it signs may put one object: S3 grants a presigned request what its signer may do. */
const issuesUploads = {
  trigger: 'http-api',
  tableActions: ['GetItem'],
  attachmentsBucket: 'put',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** Nobody waits for it, and it makes a handful of calls: a longer run is one that hangs. */
const recordsProviderEvents = {
  trigger: 'provider-events',
  tableActions: ['BatchGetItem', 'PutItem', 'UpdateItem'],
  queriesIndexes: ['gsi1'],
  wakesWebhookQueue: true,
  timeoutSeconds: 30,
  memoryMegabytes: 512,
} as const;

/** What a link in a mail leads to: a token to check, and a few items to read. */
const servesMailLinks = {
  trigger: 'http-api',
  readsSecrets: ['tokenSigningKey'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A visit is recorded under the eyes of a person who waits for the page. */
const tracksVisits = {
  ...servesMailLinks,
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
  wakesWebhookQueue: true,
} as const;

const makesFirstAttempts = {
  trigger: 'webhook-queue',
  tableActions: ['GetItem', 'UpdateItem'],
  deliversWebhooks: true,
  timeoutSeconds: firstAttemptsTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** Runs on a schedule, and for whoever calls it with the cron secret. */
const runsDueDeliveries = {
  ...makesFirstAttempts,
  trigger: 'http-api',
  queriesIndexes: ['gsi1'],
  readsSecrets: ['cronSecret'],
  timeoutSeconds: httpTimeoutSeconds,
} as const;

/** A program at work on its templates: items by key, up to half a megabyte of text. */
const managesTemplates = {
  trigger: 'http-api',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A program, or a person at a settings page, at work on webhook endpoints. */
const managesWebhooks = {
  trigger: 'http-api',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A program, or a person at a settings page, takes a person out of all that is stored. */
const erasesContacts = {
  trigger: 'http-api',
  tableActions: ['GetItem', 'Query', 'UpdateItem'],
  queriesIndexes: ['gsi3'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** Nobody waits for it; a batch takes well below a second, so a longer run is one that hangs. */
const countsUsage = {
  trigger: 'table-stream',
  tableActions: ['UpdateItem'],
  onlyPartitions: usagePartitions,
  timeoutSeconds: 60,
  memoryMegabytes: 512,
} as const;

/** Every function of the service, one line each. */
export const functionCatalogue = [
  { name: 'send-email', ...sendsEmail },
  { name: 'send-global-email', ...sendsEmail },
  { name: 'create-upload', ...issuesUploads },
  { name: 'get-send', ...readsTable },
  { name: 'record-provider-event', ...recordsProviderEvents },
  {
    name: 'get-preferences',
    ...servesMailLinks,
    tableActions: ['GetItem', 'Query'],
    queriesIndexes: ['gsi1'],
  },
  {
    name: 'update-preferences',
    ...servesMailLinks,
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    queriesIndexes: ['gsi1'],
    wakesWebhookQueue: true,
  },
  { name: 'show-unsubscribe', ...servesMailLinks, tableActions: ['GetItem', 'UpdateItem'] },
  {
    name: 'unsubscribe',
    ...servesMailLinks,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    queriesIndexes: ['gsi1'],
    wakesWebhookQueue: true,
  },
  {
    name: 'show-preferences',
    ...servesMailLinks,
    tableActions: ['GetItem', 'Query', 'UpdateItem'],
  },
  {
    name: 'save-preferences',
    ...servesMailLinks,
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    wakesWebhookQueue: true,
  },
  { name: 'erase-contact', ...erasesContacts },
  {
    name: 'create-template',
    ...managesTemplates,
    tableActions: ['GetItem', 'PutItem'],
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
    tableActions: ['GetItem', 'BatchGetItem', 'DeleteItem'],
  },
  { name: 'render-template', ...managesTemplates, tableActions: ['GetItem', 'BatchGetItem'] },
  {
    name: 'create-webhook',
    ...managesWebhooks,
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
  },
  { name: 'list-webhooks', ...managesWebhooks, tableActions: ['GetItem', 'Query'] },
  { name: 'get-webhook', ...managesWebhooks, tableActions: ['GetItem'] },
  { name: 'update-webhook', ...managesWebhooks, tableActions: ['GetItem', 'UpdateItem'] },
  {
    name: 'delete-webhook',
    ...managesWebhooks,
    tableActions: ['GetItem', 'UpdateItem', 'DeleteItem'],
  },
  { name: 'rotate-webhook-secret', ...managesWebhooks, tableActions: ['GetItem', 'UpdateItem'] },
  {
    name: 'test-webhook',
    ...managesWebhooks,
    tableActions: ['GetItem', 'PutItem'],
    wakesWebhookQueue: true,
  },
  {
    name: 'list-webhook-deliveries',
    ...managesWebhooks,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  {
    name: 'redeliver-webhook-delivery',
    ...managesWebhooks,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
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
  { name: 'deliver-webhooks', ...makesFirstAttempts },
  { name: 'run-webhook-queue', ...runsDueDeliveries },
  { name: 'count-usage', ...countsUsage },
  { name: 'get-usage', ...readsTable },
] as const satisfies readonly FunctionDeclaration[];

export type FunctionName = (typeof functionCatalogue)[number]['name'];
