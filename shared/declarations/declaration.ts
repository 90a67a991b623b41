import { hash } from 'node:crypto';

/**
 * What an app declares by a resource in its stack. CloudFormation asks for one change after the other, but Lambda may
 * deliver each request more than once, and late.
 */
export type Declaration = {
  /** The ids of the requests that were handled, in order. */
  readonly requests: readonly string[];
  /** When it left the stack, in epoch milliseconds. Kept for a while, so that a late request is recognised. */
  readonly endedAt?: number | undefined;
};

/** Stays the same as long as the stack has the resource. A stack that is created again has another id. */
export const declarerOf = (stackId: string, logicalId: string): string =>
  hash('sha256', `${stackId} ${logicalId}`, 'hex').slice(0, 40);

/** `again`: it may have been handled in part. `late`: a later one has been handled, so it changes nothing. */
export type Turn = 'new' | 'again' | 'late';

export function turnOf(requestId: string, { requests = [] }: Partial<Declaration> = {}): Turn {
  if (!requests.includes(requestId)) return 'new';
  return requests.at(-1) === requestId ? 'again' : 'late';
}

/** Lambda repeats a request within minutes. No stack changes more often than that. */
const maxRequests = 20;

export const withRequest = (
  requestId: string,
  { requests = [] }: Partial<Declaration> = {},
): string[] => [...requests.filter((one) => one !== requestId), requestId].slice(-maxRequests);

/** How long a late request is recognised. */
export const rememberedDays = 2;
