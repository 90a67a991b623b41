import { serveSchedule } from '#shared/endpoints/serve-background';
import { openPurgeStore } from '#shared/organizations/purge-store';
import { openContentStore } from '#shared/stored-content/content-store';
import { lambda } from './function.ts';
import { purgeOrganizations } from './purge-organizations.ts';

export const handler = serveSchedule(
  lambda,
  (table, environment) => ({
    purges: openPurgeStore(table),
    contents: openContentStore(environment),
  }),
  purgeOrganizations,
);
