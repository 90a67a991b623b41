import type { Operator, Surroundings } from '#shared/endpoints/endpoint';
import { newCursorSecret } from '#shared/table/cursor';
import { recordLog } from './recorded-log.ts';

/** What every operation gets with its request. */
export const surroundings: Surroundings = {
  log: recordLog().log,
  source: { sourceIp: '203.0.113.7', forwardedFor: undefined },
};

export const operator: Operator = {
  id: 'operator',
  secret: newCursorSecret(),
  actor: 'operator',
};
