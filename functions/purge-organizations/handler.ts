import { serveSchedule } from '#shared/endpoints/serve-background';
import { lambda } from './function.ts';
import { purgeOrganizations, purgesContents } from './purge-organizations.ts';

export const handler = serveSchedule(lambda, { contents: purgesContents }, purgeOrganizations);
