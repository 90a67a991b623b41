import { serve } from '#shared/endpoints/serve';
import { openIdentityStore } from '#shared/identity/identity-store';
import { tenancyReader } from '#shared/organizations/tenancy';
import { choicesOf } from '#shared/preferences/preferences';
import { openSendListStore } from '#shared/sends/send-list-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { endpoint } from './endpoint.ts';
import { explainRecipient } from './explain-recipient.ts';

export const handler = serve(
  endpoint,
  (table, environment) => ({
    identities: openIdentityStore(table),
    suppressions: openSuppressionListStore(table),
    providerList: openProviderSuppressionList(environment.SES_TENANTS, tenancyReader(table)),
    sends: openSendListStore(table),
    timelines: openTimelineStore(table),
  }),
  async (request, explanation) => {
    const { contact, suppressions, ...explained } = await explainRecipient(request, explanation);
    return {
      ...explained,
      contact: contact && { createdAt: contact.createdAt, subscriptions: choicesOf(contact) },
      suppressions: suppressions.map(toSuppressionView),
    };
  },
);
