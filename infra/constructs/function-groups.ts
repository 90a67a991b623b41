import { usagePartitions } from '#shared/table/keys';
import { firstAttemptsTimeoutSeconds } from './webhook-queue-settings.ts';

// What functions of one kind have in common; the catalogue names the functions.

/** HTTP API gives up after 30 s: one second less, and a timeout is ours, logged and counted. */
const httpTimeoutSeconds = 29;

/** CPU comes with memory; half a gigabyte starts cold about as fast as this little code can. */
export const readsTable = {
  trigger: 'http-api',
  tableActions: ['GetItem', 'Query'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/**
 * A request of 6 MB is in memory several times over (event, parsed body, decoded attachments, request
 * to SES), and that encoding is CPU the caller waits for.
 */
export const sendsEmail = {
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
export const issuesUploads = {
  trigger: 'http-api',
  tableActions: ['GetItem'],
  attachmentsBucket: 'put',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** Nobody waits for it, and it makes a handful of calls: a longer run is one that hangs. */
export const recordsProviderEvents = {
  trigger: 'provider-events',
  tableActions: ['BatchGetItem', 'PutItem', 'UpdateItem'],
  queriesIndexes: ['gsi1'],
  wakesWebhookQueue: true,
  timeoutSeconds: 30,
  memoryMegabytes: 512,
} as const;

/** What a link in a mail leads to: a token to check, and a few items to read. */
export const servesMailLinks = {
  trigger: 'http-api',
  readsSecrets: ['tokenSigningKey'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A visit is recorded under the eyes of a person who waits for the page. */
export const tracksVisits = {
  ...servesMailLinks,
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
  wakesWebhookQueue: true,
} as const;

export const makesFirstAttempts = {
  trigger: 'webhook-queue',
  tableActions: ['GetItem', 'UpdateItem'],
  deliversWebhooks: true,
  timeoutSeconds: firstAttemptsTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** Runs on a schedule, and for whoever calls it with the cron secret. */
export const runsDueDeliveries = {
  ...makesFirstAttempts,
  trigger: 'http-api',
  queriesIndexes: ['gsi1'],
  readsSecrets: ['cronSecret'],
  timeoutSeconds: httpTimeoutSeconds,
} as const;

/** A program at work on its templates: items by key, up to half a megabyte of text. */
export const managesTemplates = {
  trigger: 'http-api',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A program, or a person at a settings page, at work on webhook endpoints. */
export const managesWebhooks = {
  trigger: 'http-api',
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** A program, or a person at a settings page, takes a person out of all that is stored. */
export const erasesContacts = {
  trigger: 'http-api',
  tableActions: ['GetItem', 'Query', 'UpdateItem'],
  queriesIndexes: ['gsi3'],
  timeoutSeconds: httpTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/** Nobody waits for it; a batch takes well below a second, so a longer run is one that hangs. */
export const countsUsage = {
  trigger: 'table-stream',
  tableActions: ['UpdateItem'],
  onlyPartitions: usagePartitions,
  timeoutSeconds: 60,
  memoryMegabytes: 512,
} as const;
