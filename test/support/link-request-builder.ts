import type { LinkRequest } from '#shared/tracking/machine-hit';
import { recordLog } from './recorded-log.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A person's browser that fetches a tracked link or pixel. */
export const buildLinkRequest = (overrides: Partial<LinkRequest> = {}): LinkRequest => ({
  token: 'none',
  method: 'GET',
  headers: { 'user-agent': browser },
  log: recordLog().log,
  ...overrides,
});
