import type * as z from 'zod/mini';
import { type AttachmentRules, attachmentRulesOf } from '#shared/attachments/admit-attachments';
import type { FileFetcher } from '#shared/attachments/file-fetcher';
import type { AttachmentSources } from '#shared/attachments/load-attachments';
import { createSlowFetches, neverSlow } from '#shared/attachments/slow-fetches';
import { fetchUpload } from '#shared/attachments/upload-store';
import { bucketSettingsOf, openBucket } from '#shared/aws/bucket';
import type {
  attachmentEnvironment,
  mailingEnvironment,
  sendingEnvironment,
  sendQueueEnvironment,
  testEventsEnvironment,
} from '#shared/config/environment';
import type { EmailProvider } from '#shared/email/email-provider';
import { createRefusals, type Refusals } from '#shared/email/refusals';
import { createSesEmailProvider, openSesClient } from '#shared/email/ses-email-provider';
import { openTestEventQueue } from '#shared/email/sqs-test-events';
import { createTestProvider } from '#shared/email/test-provider';
import type { Service } from '#shared/endpoints/endpoint';
import { type ContentStore, openContentStore } from '#shared/stored-content/content-store';
import type { Table } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring-reader';
import type { Keyring } from '#shared/tokens/signed-token';
import { createQueueWaker, type WakeQueue } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { createSenderWaker, type SendToWake } from './later/send-queue.ts';

/** What requests and batches use. */
export type Sending = Service & {
  readonly settings: SendSettings;
  readonly keyring: () => Promise<Keyring>;
  readonly email: {
    readonly send: EmailProvider;
    /** Plays SES for emails made with a test key. */
    readonly sendTest: EmailProvider;
    readonly refusals: Refusals;
  };
  readonly attachments: Attachments;
  readonly contents: Pick<ContentStore, 'put' | 'remove'>;
  /** Where what was sent is kept. */
  readonly keptContents: Pick<ContentStore, 'put'>;
  /** Wakes the webhook queue. If that fails, the scheduled run finds the deliveries within a minute. */
  readonly wakeWebhooks: WakeQueue;
  readonly wakeSenders: (sends: readonly SendToWake[]) => Promise<void>;
};

/** What an attempt uses. */
export type Mailing = Omit<Sending, 'contents' | 'wakeSenders' | 'limitsOfDeployment'>;

export type SendSettings = {
  readonly baseUrl: string;
  readonly linkDomains: readonly string[];
  /** How long an attempt whose outcome is unknown keeps its send to itself. After that a retry may take it over. */
  readonly leaseMs: number;
  /** At most; an organization may keep its sends for fewer days. */
  readonly sendRetentionDays: number;
  /** Whether each organization is an SES tenant. */
  readonly usesTenants: boolean;
  /** How long after it was due workers retry an email that SES doesn't take. */
  readonly patienceMs: number;
};

export type Attachments = AttachmentSources & AttachmentRules;

type MailingEnvironment = z.output<typeof mailingEnvironment> &
  Partial<z.output<typeof testEventsEnvironment> & z.output<typeof sendQueueEnvironment>>;

const settingsOf = (environment: MailingEnvironment): SendSettings => ({
  baseUrl: environment.PUBLIC_BASE_URL,
  linkDomains: environment.LINK_DOMAINS,
  leaseMs: environment.DOUBT_WINDOW_SECONDS * 1_000,
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
  usesTenants: environment.SES_TENANTS,
  patienceMs: (environment.SEND_PATIENCE_SECONDS ?? 0) * 1_000,
});

/** For emails that bring their files with them, or have none. */
export const openMailing = (environment: MailingEnvironment) => ({
  settings: settingsOf(environment),
  keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
  email: {
    send: createSesEmailProvider(openSesClient(), {
      configurationSetName: environment.CONFIGURATION_SET_NAME,
      callTimeoutMs: environment.PROVIDER_CALL_TIMEOUT_MS,
      retryBudgetMs: environment.PROVIDER_RETRY_BUDGET_MS,
    }),
    sendTest: createTestProvider(openTestEventQueue(environment.TEST_EVENT_QUEUE_URL)),
    refusals: createRefusals(),
  },
  attachments: noAttachments,
  wakeWebhooks: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
});

export const noAttachments: Attachments = {
  fetchUpload: async () => undefined,
  fetchFile: async () => ({ kind: 'failed', reason: 'is fetched when the email is stored' }),
  slowFetches: neverSlow,
  attachmentLimits: { maxCount: 0, maxTotalBytes: 0 },
  urlPolicy: { allowLoopbackHttp: false },
  checkEntitlement: async () => ({ allowed: true }),
};

export const openSending = (table: Table, environment: z.output<typeof sendingEnvironment>) => ({
  ...openMailing(environment),
  attachments: openAttachments(table, environment),
  contents: openContentStore(environment),
  // The answer to the send waits for it.
  keptContents: openContentStore(environment, { tries: 1, timeoutMs: 2_000 }),
  wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
});

function openAttachments(
  table: Table,
  environment: z.output<typeof attachmentEnvironment>,
): Attachments {
  const rules = attachmentRulesOf(environment);
  const bucket = openBucket(bucketSettingsOf(environment));
  let fetcher: FileFetcher | undefined;
  return {
    ...rules,
    fetchUpload: (id) => fetchUpload(bucket, id),
    // Loaded with the first URL.
    fetchFile: async (...file) => {
      const { createFileFetcher } = await import('#shared/attachments/file-fetcher');
      fetcher ??= createFileFetcher(rules.urlPolicy);
      return fetcher(...file);
    },
    slowFetches: createSlowFetches({ table, places: environment.SLOW_FETCHES_AT_ONCE }),
  };
}
