import { WithHeaders } from '#shared/endpoints/endpoint';
import { serve } from '#shared/endpoints/serve';
import { previewHeaders } from '#shared/http/page-response';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openCategoryStore } from '#shared/preferences/category-store';
import { endpoint } from './endpoint.ts';
import { showPagePreview } from './show-page-preview.ts';

export const handler = serve(
  endpoint,
  { organizations: openOrganizationStore, categories: openCategoryStore },
  async (request, stores) =>
    new WithHeaders(await showPagePreview(request, stores), previewHeaders),
);
