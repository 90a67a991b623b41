import * as z from 'zod';
import { megabyte } from '#shared/attachments/admit-attachments';
import { checkOwnSetting, type EntitlementCheck } from '#shared/attachments/entitlement';
import { createEntitlementService } from '#shared/attachments/entitlement-service';
import type { sendingEnvironment } from '#shared/config/environment';
import { secretReader } from '#shared/config/secret';
import { ensureContact } from '#shared/contacts/contact-store';
import { countRequest } from '#shared/organizations/rate-window-store';
import { openTable } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring';
import { countUsage } from '#shared/usage/usage-store';
import { createQueueWaker } from '#shared/webhooks/sqs-delivery-queue';
import { claimSend } from './claim-store.ts';
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
    countRequest: (id, now) => countRequest(table, id, now),
    attachmentLimits: {
      maxCount: environment.ATTACHMENTS_MAX_COUNT,
      maxTotalBytes: Math.floor(environment.ATTACHMENTS_MAX_TOTAL_MB * megabyte),
    },
    checkEntitlement: createEntitlementCheck(environment),
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
    countGlobalSend: (organizationId, now) =>
      countUsage(table, organizationId, 'global_endpoint_sends', now),
  };
}

function createEntitlementCheck({
  ENTITLEMENTS_URL: url,
  ENTITLEMENTS_SECRET_ID: secretId,
}: z.output<typeof sendingEnvironment>): EntitlementCheck {
  if (url === undefined) return checkOwnSetting;
  if (secretId === undefined) throw new Error('ENTITLEMENTS_URL needs an ENTITLEMENTS_SECRET_ID');
  return createEntitlementService({ url, secret: secretReader(secretId, z.string().min(1)) });
}
