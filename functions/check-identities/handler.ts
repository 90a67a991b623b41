import { setTimeout } from 'node:timers/promises';
import { serveSchedule } from '#shared/endpoints/serve-background';
import { changesDomains } from '#shared/identity/identity-upkeep';
import { checkDueIdentities } from './check-identities.ts';
import { lambda } from './function.ts';

export const handler = serveSchedule(
  lambda,
  { ...changesDomains, sleep: () => (milliseconds: number) => setTimeout(milliseconds) },
  checkDueIdentities,
);
