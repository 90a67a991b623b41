import type * as z from 'zod/mini';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { openRateWindowStore } from '#shared/access/rate-window-store';
import { openAttachmentGate } from '#shared/attachments/attachment-gate';
import type { FileFetcher } from '#shared/attachments/file-fetcher';
import type { AttachmentSources } from '#shared/attachments/load-attachments';
import { openUploadStore } from '#shared/attachments/upload-store';
import type { mailingEnvironment, sendingEnvironment } from '#shared/config/environment';
import { openContactStore } from '#shared/contacts/contact-store';
import { type ContentStore, openContentStore } from '#shared/content/content-store';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { createSesEmailProvider, openSesClient } from '#shared/email/ses-email-provider';
import { openTestEventQueue } from '#shared/email/sqs-test-events';
import { createTestProvider } from '#shared/email/test-provider';
import { publishCount } from '#shared/observability/metrics';
import { openTable, type Table } from '#shared/table/table-client';
import { openSentTemplateStore } from '#shared/templates/sent-template-store';
import { keyringReader } from '#shared/tokens/keyring-reader';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { WebhookUrlPolicy } from '#shared/webhooks/webhook-url';
import { openClaimStore } from './claim-store.ts';
import { filesPlaceOf, type Keeping } from './kept-content.ts';
import { createSenderWaker } from './later/send-queue.ts';
import { openSendContextStore } from './send-context-store.ts';
import { openSettlementStore } from './settlement-store.ts';

export const openSendingStores = (table: Table) => ({
  apiKeys: openApiKeyStore(table),
  contexts: openSendContextStore(table),
  templates: openSentTemplateStore(table),
  rateWindows: openRateWindowStore(table),
  claims: openClaimStore(table),
  settlements: openSettlementStore(table),
  contacts: openContactStore(table),
});

/** What an email without attachments uses. */
export function openMailing(environment: z.output<typeof mailingEnvironment>) {
  return {
    now: Date.now,
    /** The service's URL, without a trailing slash. */
    baseUrl: environment.PUBLIC_BASE_URL,
    keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
    doubtWindowMs: environment.DOUBT_WINDOW_SECONDS * 1000,
    sendRetentionDays: environment.SEND_RETENTION_DAYS,
    /** Whether each organization is an SES tenant. */
    usesTenants: environment.SES_TENANTS,
    ...openSendingStores(openTable(environment.TABLE_NAME)),
    callProvider: createSesEmailProvider(openSesClient(), {
      configurationSetName: environment.CONFIGURATION_SET_NAME,
      callTimeoutMs: environment.PROVIDER_CALL_TIMEOUT_MS,
      retryBudgetMs: environment.PROVIDER_RETRY_BUDGET_MS,
    }),
    /** Takes test emails, and sends none. */
    callTestProvider: createTestProvider(openTestEventQueue(environment.TEST_EVENT_QUEUE_URL)),
    /** Wakes the webhook queue. If that fails, the scheduled run finds the rows within a minute. */
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
    /** Counts a send that SES was too busy for, by organization. */
    countThrottled: (organizationId: OrganizationId) =>
      publishCount('SendThrottled', {}, { organizationId }),
    /** Counts a send in doubt: SES didn't answer, or a retry took the send over. */
    countDoubt: (found: 'unanswered' | 'taken over') => publishCount('SendInDoubt', { found }),
  };
}

export function openSending(environment: z.output<typeof sendingEnvironment>) {
  const gate = openAttachmentGate(environment);
  return {
    ...openMailing(environment),
    dayQuotas: openDayQuotaStore(openTable(environment.TABLE_NAME)),
    limitsOfDeployment: environment.ORGANIZATION_LIMITS,
    ...gate,
    fetchUpload: openUploadStore(environment).fetchUpload,
    fetchFile: fileFetcherUnder(gate.urlPolicy),
    keepContent: contentKeeper(openContentStore(environment, { tries: 1, timeoutMs: 2_000 })),
    contents: openContentStore(environment),
    wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
    patienceMs: environment.SEND_PATIENCE_SECONDS * 1_000,
  };
}

/**
 * Not worth a second try, nor a long wait: the answer to the send waits for it, too. The files go first, and the words
 * say that they are there. If the files can't be stored, the words are.
 */
export const contentKeeper =
  ({ put }: Pick<ContentStore, 'put'>) =>
  async ({ place, content, files, sealKey }: Keeping): Promise<void> => {
    if (files.length === 0) return put(place, content, sealKey);
    const encoded = files.map((bytes) => Buffer.from(bytes).toString('base64'));
    const [stored] = await Promise.allSettled([put(filesPlaceOf(place), encoded, sealKey)]);
    const hasFiles = stored.status === 'fulfilled' && ({ hasFiles: true } as const);
    await put(place, { ...content, ...hasFiles }, sealKey);
    if (stored.status === 'rejected') throw stored.reason;
  };

/** Loaded with the first URL, since few emails have one. */
function fileFetcherUnder(policy: WebhookUrlPolicy): FileFetcher {
  let fetcher: FileFetcher | undefined;
  return async (...file) => {
    const { createFileFetcher } = await import('#shared/attachments/file-fetcher');
    fetcher ??= createFileFetcher(policy);
    return fetcher(...file);
  };
}

export type Sending = ReturnType<typeof openSending>;
/** What handing over an admitted email uses. */
export type Mailing = ReturnType<typeof openMailing> &
  AttachmentSources &
  Pick<Sending, 'keepContent'>;
