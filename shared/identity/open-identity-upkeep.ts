import type * as z from 'zod/mini';
import type { identityEnvironment } from '#shared/config/environment';
import { openDnsLookup } from '#shared/domains/dns-lookup';
import { openIdentityClient, openSesIdentities } from '#shared/domains/ses-identities';
import { openSesTenants } from '#shared/domains/ses-tenants';
import type { Table } from '#shared/table/table-client';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { openDomainStore } from './domain-store.ts';
import { openIdentityStore } from './identity-store.ts';

export const openIdentityUpkeep = (
  table: Table,
  environment: z.output<typeof identityEnvironment>,
) => {
  const client = openIdentityClient();
  return {
    now: Date.now,
    /** How long SES's answer is shown before SES is asked again. */
    answerKeptMs: environment.SES_ANSWER_SECONDS * 1000,
    identities: openIdentityStore(table),
    domains: openDomainStore(table),
    dns: openDnsLookup(environment.DNS_SERVER),
    ses: openSesIdentities(client, environment.AWS_REGION, environment.SES_IDENTITIES_ARN),
    /** Only if organizations are SES tenants. */
    tenants: environment.SES_TENANTS
      ? openSesTenants(client, environment.CONFIGURATION_SET_NAME, environment.SES_SUPPRESSES)
      : undefined,
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
    /** At most; an organization may keep its messages for fewer days. */
    sendRetentionDays: environment.SEND_RETENTION_DAYS,
  };
};
export type IdentityUpkeep = ReturnType<typeof openIdentityUpkeep>;
