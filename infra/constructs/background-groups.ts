import { recordingTimeoutSeconds } from '#shared/config/event-retry-plan';
import { contactPartitions } from '#shared/table/contact-keys';
import { usagePartitions } from '#shared/table/keys';
import { noticePartitions } from '#shared/table/notice-keys';
import {
  dueRunTimeoutSeconds,
  firstAttemptsTimeoutSeconds,
} from './pipelines/webhook-queue-settings.ts';

// What functions have in common that a topic, a queue, a stream or a schedule invokes, as in `function-groups.ts`.
// `function-schedule.ts` says where the schedules are.

/** Nobody waits for it. It makes a handful of calls, so a run that takes longer hangs. */
export const recordsProviderEvents = {
  trigger: 'provider-events',
  reservation: 'events',
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
  queriesIndexes: ['gsi1'],
  wakesWebhookQueue: true,
  timeoutSeconds: recordingTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

export const makesFirstAttempts = {
  trigger: 'webhook-queue',
  tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  deliversWebhooks: true,
  timeoutSeconds: firstAttemptsTimeoutSeconds,
  memoryMegabytes: 512,
} as const;

/**
 * Runs on a schedule, and for a caller with the cron secret. A delivery costs 4 ms of CPU, and a run makes
 * 150 a second: that needs most of one vCPU, which 1,769 MB have (Lambda guide, "Memory").
 */
export const runsDueDeliveries = {
  ...makesFirstAttempts,
  trigger: 'http-api',
  queriesIndexes: ['gsi1'],
  readsSecrets: ['cronSecret'],
  timeoutSeconds: dueRunTimeoutSeconds,
  memoryMegabytes: 1769,
} as const;

/** Nobody waits for it. What a run does not get done, the next one does. */
export const purgesOrganizations = {
  trigger: 'schedule',
  tableActions: ['GetItem', 'PutItem', 'DeleteItem', 'Scan'],
  queriesIndexes: ['gsi2'],
  timeoutSeconds: 600,
  memoryMegabytes: 512,
} as const;

/** Nobody waits for it. A batch takes well below a second, so a run that takes longer hangs. */
export const countsUsage = {
  trigger: 'table-stream',
  tableActions: ['GetItem', 'UpdateItem', 'Query', 'PutItem'],
  onlyPartitions: [usagePartitions, noticePartitions],
  notesUse: true,
  timeoutSeconds: 60,
  memoryMegabytes: 512,
} as const;

/** Nobody waits for it either. */
export const indexesContacts = {
  trigger: 'table-stream',
  tableActions: ['UpdateItem'],
  onlyPartitions: [contactPartitions],
  timeoutSeconds: 60,
  memoryMegabytes: 512,
} as const;

/** The one function beside the send path that may send: whoever causes a notice only files it. */
export const sendsNotices = {
  trigger: 'schedule',
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
  queriesIndexes: ['gsi1'],
  readsSecrets: ['tokenSigningKey'],
  sendsEmail: true,
  sendsNotices: true,
  wakesWebhookQueue: true,
  timeoutSeconds: 90,
  memoryMegabytes: 512,
} as const;
