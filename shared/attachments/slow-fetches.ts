import { longestFetchMs } from '#shared/config/send-attempt-time';
import { ServiceError } from '#shared/errors/service-error';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type FetchLease, releaseFetchLease, takeFetchLease } from './fetch-lease-store.ts';

/** Files behind URLs may take this long, in all, before their request needs a lease. Most are there by then. */
export const freeFetchMs = 1_000;

/** How long an organization whose files were slow needs a lease from the start. */
export const slowRememberedMs = 5 * 60_000;

const maxRemembered = 1_000;

export type Fetching = {
  /** Aborted when the files are slow and no lease is free. */
  readonly signal: AbortSignal;
  /** Call when all files have loaded, or none is needed. Never throws. */
  readonly end: () => Promise<void>;
};

export type SlowFetches = {
  /** @throws ServiceError `slow_fetch_limit_reached` */
  readonly begin: (id: OrganizationId) => Promise<Fetching>;
};

type Leasing = {
  readonly table: Table;
  /** Of each organization. */
  readonly places: number;
  readonly now?: () => number;
  /** Starts a timer. */
  readonly after?: (ms: number, run: () => void) => { readonly cancel: () => void };
};

/**
 * A server that answers slowly, or never, holds the execution that waits for it, at no cost to who names it in a
 * request. So only some requests of an organization may wait for slow servers at once: each under a lease.
 *
 * Quick files cost no write. This process remembers organizations with slow ones, by their id: names of hosts are free,
 * so a memory of slow hosts would be by-passed by the next name, and would punish others who use the same host.
 */
export function createSlowFetches({
  table,
  places,
  now = Date.now,
  after = startTimer,
}: Leasing): SlowFetches {
  const slowUntil = new Map<OrganizationId, number>();
  const remember = (id: OrganizationId) => {
    slowUntil.delete(id);
    slowUntil.set(id, now() + slowRememberedMs);
    const [oldest] = slowUntil.keys();
    if (slowUntil.size > maxRemembered && oldest !== undefined) slowUntil.delete(oldest);
  };

  async function begin(id: OrganizationId): Promise<Fetching> {
    const refused = new AbortController();
    let taking: Promise<FetchLease | undefined> | undefined;
    const takeLease = () => {
      taking = takeFetchLease(table, id, places, now());
      return taking;
    };
    if ((slowUntil.get(id) ?? 0) > now() && (await takeLease()) === undefined) throw noLease();

    const timer = after(freeFetchMs, () => {
      remember(id);
      if (taking !== undefined) return;
      takeLease().then(
        (lease) => lease ?? refused.abort(noLease()),
        // Without a lease, there's no waiting.
        () => refused.abort(noLease()),
      );
    });
    const end = async () => {
      timer.cancel();
      const lease = await taking?.catch(() => undefined);
      // If that fails, the lease expires.
      if (lease !== undefined) await releaseFetchLease(table, lease).catch(() => {});
    };
    return { signal: refused.signal, end };
  }

  return { begin };
}

/** All that load at the same time wait in one execution: they share a lease. */
export function sharedFetches({ begin }: SlowFetches): SlowFetches {
  let shared: Promise<Fetching> | undefined;
  let users = 0;
  const leave = async (fetching: Promise<Fetching>) => {
    users -= 1;
    if (users > 0) return;
    shared = undefined;
    const { end } = await fetching;
    await end();
  };
  return {
    begin: async (id) => {
      users += 1;
      shared ??= begin(id);
      const own = shared;
      try {
        const { signal } = await own;
        return { signal, end: () => leave(own) };
      } catch (error) {
        users -= 1;
        if (users === 0) shared = undefined;
        throw error;
      }
    },
  };
}

/** Of those who never fetch. */
export const neverSlow: SlowFetches = {
  begin: async () => ({ signal: new AbortController().signal, end: async () => {} }),
};

const noLease = (): ServiceError =>
  new ServiceError('slow_fetch_limit_reached', undefined, {
    retryAfterSeconds: longestFetchMs / 1_000,
  });

function startTimer(ms: number, run: () => void) {
  const timer = setTimeout(run, ms);
  return { cancel: () => clearTimeout(timer) };
}
