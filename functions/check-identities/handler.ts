import { setTimeout } from 'node:timers/promises';
import { serveSchedule } from '#shared/endpoints/serve-background';
import { openDueIdentityStore } from '#shared/identity/identity-store';
import { openIdentityUpkeep } from '#shared/identity/open-identity-upkeep';
import { checkIdentities } from './check-identities.ts';
import { lambda } from './function.ts';

export const handler = serveSchedule(
  lambda,
  (table, environment) => ({
    ...openIdentityUpkeep(table, environment),
    dueIdentities: openDueIdentityStore(table),
    sleep: (milliseconds: number) => setTimeout(milliseconds),
  }),
  checkIdentities,
);
