import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, suppressionListEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { liftSuppression } from './lift-suppression.ts';

const environment = parseEnvironment(suppressionListEnvironment);
const table = openTable(environment.TABLE_NAME);
const lifting = {
  ...openAuthentication(table),
  suppressions: openSuppressionListStore(table),
  lifts: openSuppressionStore(table),
  providerList: openProviderSuppressionList(environment.SES_TENANTS),
};

export const handler = serve(endpoint, lifting, liftSuppression);
