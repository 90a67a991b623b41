import type * as z from 'zod/mini';
import {
  createAttachmentDependencies,
  openUploadStore,
} from '#shared/attachments/attachment-dependencies';
import type { sendingEnvironment } from '#shared/config/sending-environment';
import { ensureContact } from '#shared/contacts/contact-store';
import { countRequest } from '#shared/organizations/rate-window-store';
import { openTable } from '#shared/table/table-client';
import { getTemplate } from '#shared/templates/template-store';
import { keyringReader } from '#shared/tokens/keyring';
import { createQueueWaker } from '#shared/webhooks/sqs-delivery-queue';
import { claimSend } from './claim-store.ts';
import { findIdempotencyRecord } from './key-store.ts';
import { readSendContext } from './send-context-store.ts';
import type { SendDependencies } from './send-email.ts';
import { createSesEmailProvider, openSesClient } from './ses-email-provider.ts';
import {
  commitAcceptance,
  commitFailure,
  commitSuppression,
  recordLateAcceptance,
} from './settlement-store.ts';

const dayMs = 86_400_000;

/** Wires the send operation to the table and to SES, for the functions that send. */
export function createSendDependencies(
  environment: z.output<typeof sendingEnvironment>,
): SendDependencies {
  const table = openTable(environment.TABLE_NAME);
  return {
    now: Date.now,
    baseUrl: environment.PUBLIC_BASE_URL,
    keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
    doubtWindowMs: environment.DOUBT_WINDOW_SECONDS * 1000,
    keyRetentionMs: environment.IDEMPOTENCY_RETENTION_DAYS * dayMs,
    readContext: (id, recipients) => readSendContext(table, id, recipients),
    readTemplate: (id) => getTemplate(table, id),
    countRequest: (id, now) => countRequest(table, id, now),
    findIdempotencyRecord: (organizationId, key, now) =>
      findIdempotencyRecord(table, organizationId, key, now),
    ...createAttachmentDependencies(environment),
    fetchUpload: openUploadStore(environment).fetchUpload,
    claim: (claim) => claimSend(table, claim),
    provide: createSesEmailProvider(openSesClient(), {
      configurationSetName: environment.CONFIGURATION_SET_NAME,
      callTimeoutMs: environment.PROVIDER_CALL_TIMEOUT_MS,
      retryBudgetMs: environment.PROVIDER_RETRY_BUDGET_MS,
    }),
    commitAcceptance: (...acceptance) => commitAcceptance(table, ...acceptance),
    recordLateAcceptance: (...acceptance) => recordLateAcceptance(table, ...acceptance),
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
    commitSuppression: (send, now) => commitSuppression(table, send, now),
    commitFailure: (send, reason, now) => commitFailure(table, send, reason, now),
    ensureContact: (organizationId, { identity }, now) =>
      ensureContact(table, { organizationId, identity }, now),
  };
}
