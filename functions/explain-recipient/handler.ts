import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, suppressionListEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openIdentityStore } from '#shared/identity/identity-store';
import { choicesOf } from '#shared/preferences/preferences';
import { openSendListStore } from '#shared/sends/send-list-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { explainRecipient } from './explain-recipient.ts';

const environment = parseEnvironment(suppressionListEnvironment);
const table = openTable(environment.TABLE_NAME);
const explanation = {
  ...openAuthentication(table),
  identities: openIdentityStore(table),
  suppressions: openSuppressionListStore(table),
  providerList: openProviderSuppressionList(environment.SES_TENANTS),
  sends: openSendListStore(table),
  timelines: openTimelineStore(table),
};

export const handler = serve(endpoint, explanation, async (request) => {
  const { contact, suppressions, ...explained } = await explainRecipient(request, explanation);
  return {
    ...explained,
    contact: contact && { createdAt: contact.createdAt, subscriptions: choicesOf(contact) },
    suppressions: suppressions.map(toSuppressionView),
  };
});
