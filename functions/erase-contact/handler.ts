import { openAuthentication } from '#shared/access/authenticate';
import { contactErasureEnvironment, parseEnvironment } from '#shared/config/environment';
import { openContactStore } from '#shared/contacts/contact-store';
import { openContactDeliveriesStore } from '#shared/contacts/row-erasure-store';
import { openContentStore } from '#shared/content/content-store';
import { serve } from '#shared/endpoints/serve';
import { openRecipientSendsStore } from '#shared/sends/recipient-sends-store';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { contentErasureFrom, eraseContact } from './erase-contact.ts';

const environment = parseEnvironment(contactErasureEnvironment);
const table = openTable(environment.TABLE_NAME);
const erasure = {
  ...openAuthentication(table),
  sends: openRecipientSendsStore(table, contentErasureFrom(openContentStore(environment))),
  contacts: openContactStore(table),
  contactDeliveries: openContactDeliveriesStore(table),
  suppressions: openSuppressionListStore(table),
  providerList: openProviderSuppressionList(environment.SES_TENANTS),
};

export const handler = serve(endpoint, erasure, eraseContact);
