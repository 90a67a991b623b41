import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { openContactStore } from '#shared/contacts/contact-store';
import { openContactDeliveriesStore } from '#shared/contacts/row-erasure-store';
import { serve } from '#shared/endpoints/serve';
import { tenancyReader } from '#shared/organizations/tenancy';
import { openSendErasureStore } from '#shared/sends/send-erasure-store';
import { openContentStore } from '#shared/stored-content/content-store';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { endpoint } from './endpoint.ts';
import { contentErasureFrom, eraseContact } from './erase-contact.ts';

export const handler = serve(
  endpoint,
  (table, environment) => ({
    sends: openSendErasureStore(table, contentErasureFrom(openContentStore(environment))),
    contacts: openContactStore(table),
    contactDeliveries: openContactDeliveriesStore(table),
    suppressions: openSuppressionListStore(table),
    dayQuotas: openDayQuotaStore(table),
    providerList: openProviderSuppressionList(environment.SES_TENANTS, tenancyReader(table)),
  }),
  eraseContact,
);
