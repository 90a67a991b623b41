import { keepAccount, openIdentityClient, openSesAccount } from '#shared/domains/ses-identities';
import { serve } from '#shared/endpoints/serve';
import { openIdentityStore } from '#shared/identity/identity-store';
import { openSendListStore } from '#shared/sends/send-list-store';
import { openUsageStore } from '#shared/usage/usage-store';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { endpoint } from './endpoint.ts';
import { getOverview } from './get-overview.ts';

export const handler = serve(
  endpoint,
  (table, { AWS_REGION }) => ({
    identities: openIdentityStore(table),
    // All organizations share it, and the console's page polls.
    ses: keepAccount(openSesAccount(openIdentityClient(), AWS_REGION), Date.now),
    usage: openUsageStore(table),
    sends: openSendListStore(table),
    webhooks: openWebhookStore(table),
  }),
  getOverview,
);
