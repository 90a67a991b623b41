import { serveSchedule } from '#shared/endpoints/serve-background';
import { openContentStore } from '#shared/stored-content/content-store';
import { lambda } from './function.ts';
import { purgeOrganizations } from './purge-organizations.ts';

export const handler = serveSchedule(
  lambda,
  (_table, environment) => ({ contents: openContentStore(environment) }),
  purgeOrganizations,
);
