import type * as z from 'zod/mini';
import { openWaitingQuotas } from '#shared/access/day-quota-store';
import { noteKeyUse } from '#shared/access/note-key-use';
import { openRateWindowStore } from '#shared/access/rate-window-store';
import { openAttachmentGate } from '#shared/attachments/attachment-gate';
import { openFetchLeaseStore } from '#shared/attachments/fetch-lease-store';
import type { FileFetcher } from '#shared/attachments/file-fetcher';
import type { AttachmentSources } from '#shared/attachments/load-attachments';
import { openSlowFetches } from '#shared/attachments/slow-fetches';
import { openUploadStore } from '#shared/attachments/upload-store';
import type {
  mailingEnvironment,
  sendingEnvironment,
  testEventsEnvironment,
} from '#shared/config/environment';
import { ensureContact } from '#shared/contacts/contact-store';
import { openRefusals } from '#shared/email/refusals';
import { createSesEmailProvider, openSesClient } from '#shared/email/ses-email-provider';
import { openTestEventQueue } from '#shared/email/sqs-test-events';
import { createTestProvider } from '#shared/email/test-provider';
import { publishCount } from '#shared/observability/metrics';
import type { GivenLimits } from '#shared/organizations/organization-limits';
import { type ContentStore, openContentStore } from '#shared/stored-content/content-store';
import type { Table } from '#shared/table/table-client';
import { openSentTemplateStore } from '#shared/templates/sent-template-store';
import { keyringReader } from '#shared/tokens/keyring-reader';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import type { WebhookUrlPolicy } from '#shared/webhooks/webhook-url';
import { openClaimStore } from './claim-store.ts';
import { filesPlaceOf, type Keeping } from './kept-content.ts';
import { createSenderWaker } from './later/send-queue.ts';
import { openSendContextStore } from './send-context-store.ts';
import { openSettlementStore } from './settlement-store.ts';

export const openSendingStores = (table: Table) => ({
  noteKeyUse: noteKeyUse.bind(undefined, table),
  contexts: openSendContextStore(table),
  templates: openSentTemplateStore(table),
  rateWindows: openRateWindowStore(table),
  claims: openClaimStore(table),
  settlements: openSettlementStore(table),
  contacts: {
    ensure: (organizationId: OrganizationId, identity: string, mailedAt: number) =>
      ensureContact(table, organizationId, identity, mailedAt),
  },
});

export function openMailing(
  table: Table,
  environment: z.output<typeof mailingEnvironment> &
    Partial<z.output<typeof testEventsEnvironment>>,
) {
  return {
    now: Date.now,
    baseUrl: environment.PUBLIC_BASE_URL,
    linkDomains: environment.LINK_DOMAINS,
    keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
    doubtWindowMs: environment.DOUBT_WINDOW_SECONDS * 1000,
    sendRetentionDays: environment.SEND_RETENTION_DAYS,
    usesTenants: environment.SES_TENANTS,
    ...openSendingStores(table),
    callProvider: createSesEmailProvider(openSesClient(), {
      configurationSetName: environment.CONFIGURATION_SET_NAME,
      callTimeoutMs: environment.PROVIDER_CALL_TIMEOUT_MS,
      retryBudgetMs: environment.PROVIDER_RETRY_BUDGET_MS,
    }),
    refusals: openRefusals(),
    callTestProvider: createTestProvider(openTestEventQueue(environment.TEST_EVENT_QUEUE_URL)),
    /** Wakes the webhook queue. If that fails, the scheduled run finds the rows within a minute. */
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
    countThrottled: (organizationId: OrganizationId) =>
      publishCount('SendThrottled', {}, { organizationId }),
    countRefused: (organizationId: OrganizationId, fault: 'sender' | 'service') =>
      publishCount('SendRefused', { fault }, { organizationId }),
    /** SES didn't answer, or a retry took the send over. */
    countDoubt: (found: 'unanswered' | 'taken over') => publishCount('SendInDoubt', { found }),
  };
}

export function openSending(table: Table, environment: z.output<typeof sendingEnvironment>) {
  const gate = openAttachmentGate(environment);
  return {
    ...openMailing(table, environment),
    dayQuotas: openWaitingQuotas(table),
    ...gate,
    fetchUpload: openUploadStore(environment).fetchUpload,
    fetchFile: fileFetcherUnder(gate.urlPolicy),
    slowFetches: openSlowFetches({
      leases: openFetchLeaseStore(table),
      places: environment.SLOW_FETCHES_AT_ONCE,
    }),
    keepContent: contentKeeper(openContentStore(environment, { tries: 1, timeoutMs: 2_000 })),
    contents: openContentStore(environment),
    wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
    patienceMs: environment.SEND_PATIENCE_SECONDS * 1_000,
  };
}

/**
 * No retry or long wait: the answer to the send waits for it. Files go first, because the text says whether they are
 * stored.
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

function fileFetcherUnder(policy: WebhookUrlPolicy): FileFetcher {
  let fetcher: FileFetcher | undefined;
  return async (...file) => {
    const { createFileFetcher } = await import('#shared/attachments/file-fetcher');
    fetcher ??= createFileFetcher(policy);
    return fetcher(...file);
  };
}

export type Sending = ReturnType<typeof openSending> & { readonly limitsOfDeployment: GivenLimits };
export type Mailing = ReturnType<typeof openMailing> &
  AttachmentSources &
  Pick<Sending, 'keepContent'>;
